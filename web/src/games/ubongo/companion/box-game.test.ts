import { expect, test } from 'vitest';
import { COLOURS, GEMS, type Gem } from '../../../lib/wire';
import vectors from './rounds.vectors.json';
import {
  closeRound,
  colourOf,
  drawColours,
  gemsInBag,
  leaders,
  mayCallUbongo,
  mayHaveSecondChance,
  newGame,
  nextRound,
  pauseTimer,
  pointsOf,
  resumeTimer,
  scoreUbongoCall,
  startSecondChance,
  turnHourglass,
  withCurrentTimer,
  type BoxGame,
} from './box-game';

/** A seeded generator, so that failures are repeatable. */
function seededRandom(seed: number) {
  let at = seed;
  return () => {
    at = (at * 1664525 + 1013904223) % 2 ** 32;
    return at / 2 ** 32;
  };
}

const NAMES = ['Ola', 'Max', 'Hana'];
const game = () => turnHourglass(drawColours(newGame(NAMES, 60, seededRandom(1))), 0);
const calls = (from: BoxGame, ...seats: number[]) => seats.reduce(scoreUbongoCall, from);
/** A game in which these gems are drawn next, in this order. */
const withNextGems = (from: BoxGame, ...gems: Gem[]): BoxGame => ({
  ...from,
  bag: [...from.bag, ...gems.reverse()],
});
const totalOf = ({ held, display, bag }: BoxGame, gem: Gem): number =>
  held.reduce((sum, own) => sum + own[gem], display[gem]) + bag.filter((one) => one === gem).length;

test('36 gems are in the bag and 18 laid out', () => {
  const fresh = newGame(NAMES, 60);
  expect(gemsInBag(fresh)).toEqual({ ruby: 9, sapphire: 9, emerald: 9, amber: 9 });
  expect(fresh.display).toEqual({ ruby: 0, sapphire: 9, emerald: 0, amber: 9 });
});

test('everyone draws a different colour, and has none before', () => {
  const fresh = newGame(['1', '2', '3', '4'], 60);
  expect(colourOf(fresh, 0)).toBeNull();
  expect(colourOf(turnHourglass(fresh, 0), 0)).toBeNull();
  const drawn = drawColours(fresh);
  expect(new Set([0, 1, 2, 3].map((seat) => colourOf(drawn, seat)))).toEqual(new Set(COLOURS));
});

test('the first gets a sapphire, the second an amber, and everyone a gem from the bag', () => {
  const over = calls(withNextGems(game(), 'ruby', 'emerald', 'amber'), 2, 0, 1);
  expect(over.gained).toEqual([['amber', 'emerald'], ['amber'], ['sapphire', 'ruby']]);
  expect(over.held.map(pointsOf)).toEqual([3, 1, 7]);
  expect(over.stage).toBe('closed');
  expect(nextRound(over).display).toMatchObject({ sapphire: 8, amber: 8 });
  expect(nextRound(over).bag).toHaveLength(36);
});

test('nobody calls twice, and a slightly late call still counts', () => {
  const once = calls(game(), 1);
  expect(mayCallUbongo(once, 1)).toBe(false);
  expect(scoreUbongoCall(once, 1)).toBe(once);
  expect(calls(closeRound(once), 0).solved).toEqual([1, 0]);
});

test('if only one player solves, the amber of the round goes into the bag', () => {
  const one = nextRound(closeRound(calls(game(), 0)));
  expect(one.display).toMatchObject({ sapphire: 8, amber: 8 });
  expect(one.bag).toHaveLength(36 - 1 + 1);
  expect(one.round).toBe(2);
});

test('in a second chance, the first gets a gem from the bag and none from the display', () => {
  const nobody = closeRound(game());
  expect(mayHaveSecondChance(nobody)).toBe(true);
  const again = startSecondChance(nobody, 5000);
  expect(again.sand).toEqual({ until: 65_000 });
  const solved = calls(withNextGems(again, 'emerald'), 1);
  expect(solved.gained).toEqual([[], ['emerald'], []]);
  expect(solved.stage).toBe('closed');
  expect(mayCallUbongo(solved, 0)).toBe(false);
  expect(mayHaveSecondChance(solved)).toBe(false);
  expect(nextRound(solved).display).toMatchObject({ sapphire: 8, amber: 8 });
  expect(nextRound(solved).bag).toHaveLength(36 + 2);
  expect(mayHaveSecondChance(closeRound(again))).toBe(false);
});

test("the booklet's scoring example", () => {
  expect(pointsOf({ ruby: 1, sapphire: 1, emerald: 3, amber: 3 })).toBe(16);
});

test('gems are never lost or created, and each round takes two from the display', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const chance = seededRandom(seed);
    const names = NAMES.concat('Bo').slice(0, 2 + (seed % 3));
    let now = newGame(names, 60, chance);
    while (now.round <= 9 && now.stage !== 'end') {
      const { round } = now;
      now = turnHourglass(drawColours(now), 0);
      const called = names.map((_, seat) => seat).filter(() => chance() < 0.6);
      now = closeRound(calls(now, ...called));
      if (mayHaveSecondChance(now)) {
        now = startSecondChance(now, 0);
        if (chance() < 0.5) now = calls(now, 1);
      }
      now = nextRound(now, chance);
      expect(now.display).toEqual({ ruby: 0, sapphire: 9 - round, emerald: 0, amber: 9 - round });
      expect(GEMS.map((gem) => totalOf(now, gem))).toEqual([9, 18, 9, 18]);
    }
  }
});

test('four players who solve every card draw exactly the whole bag', () => {
  let now = newGame(['1', '2', '3', '4'], 60, seededRandom(7));
  for (let round = 1; round <= 9; round++) {
    now = calls(turnHourglass(drawColours(now), 0), 0, 1, 2, 3);
    expect(now.gained.flat()).toHaveLength(6);
    now = nextRound(now);
  }
  expect(now.bag).toEqual([]);
});

test('an empty bag gives nothing', () => {
  const over = calls({ ...game(), bag: [] }, 0, 1, 2);
  expect(over.gained).toEqual([['sapphire'], ['amber'], []]);
});

test('after nine rounds the most points win', () => {
  const last = { ...withNextGems(game(), 'ruby'), round: 9 };
  const over = nextRound(
    closeRound(calls({ ...last, display: { ...last.display, sapphire: 1 } }, 1)),
  );
  expect(over.stage).toBe('end');
  expect(over.winners).toEqual([1]);
});

test('players tied for first play a deciding round, and its first solver wins', () => {
  const even = { ruby: 1, sapphire: 0, emerald: 0, amber: 0 };
  const none = { ruby: 0, sapphire: 0, emerald: 0, amber: 0 };
  const tie = nextRound({ ...closeRound(game()), round: 9, held: [even, none, even] });
  expect(leaders(tie)).toEqual([0, 2]);
  expect(tie).toMatchObject({ round: 10, stage: 'draw', playing: [0, 2] });
  const solving = turnHourglass(drawColours(tie), 0);
  expect(solving.sand).toBeNull();
  expect(colourOf(solving, 1)).toBeNull();
  expect(mayCallUbongo(solving, 1)).toBe(false);
  expect(scoreUbongoCall(solving, 2)).toMatchObject({ stage: 'end', winners: [2], held: tie.held });
  expect(nextRound(closeRound(solving))).toMatchObject({ stage: 'end', winners: [0, 2] });
});

test('paused sand resumes with the time that was left', () => {
  const stopped = pauseTimer(game(), 20_000);
  expect(stopped.sand).toEqual({ left: 40_000 });
  expect(resumeTimer(stopped, 90_000).sand).toEqual({ until: 130_000 });
  expect(turnHourglass(newGame(NAMES, null), 0).sand).toBeNull();
});

test('repeating an undone call draws the same gem, and undo keeps the sand', () => {
  const before = game();
  const after = scoreUbongoCall(before, 0);
  expect(scoreUbongoCall(before, 0)).toEqual(after);
  const paused = pauseTimer(after, 30_000);
  expect(withCurrentTimer(before, paused).sand).toEqual({ left: 30_000 });
  expect(withCurrentTimer(drawColours(newGame(NAMES, 60)), after).sand).toBeNull();
});

/** A game with a gem of this kind on top of its bag, to be drawn next. */
const withOnTop = (from: BoxGame, gem: Gem): BoxGame => {
  const at = from.bag.indexOf(gem);
  return { ...from, bag: [...from.bag.filter((_, each) => each !== at), gem] };
};

test('gems over nine rounds match the rules', () => {
  let now = newGame(['1', '2', '3', '4'], 60);
  for (const { second, draws, books, points } of vectors) {
    now = turnHourglass(drawColours(now), 0);
    if (second) now = startSecondChance(closeRound(now), 0);
    for (const [seat, gem] of draws)
      now = scoreUbongoCall(withOnTop(now, gem as Gem), seat as number);
    now = nextRound(closeRound(now));
    expect({ display: now.display, bag: gemsInBag(now), held: now.held }).toEqual(books);
    expect(now.held.map(pointsOf)).toEqual(points);
  }
  expect(now).toMatchObject({ round: 10, playing: [0, 3] });
});

test('pausing after the sand has run out leaves no time', () => {
  expect(pauseTimer(game(), 70_000).sand).toEqual({ left: 0 });
});

test('undoing a second chance restores the earlier sand', () => {
  const before = pauseTimer(game(), 20_000);
  const second = startSecondChance(before, 100_000);
  expect(withCurrentTimer(before, second).sand).toEqual({ left: 40_000 });
});
