/**
 * A game of Ubongo Extreme that is played with the box, as the companion tracks it: gems, colours,
 * places and the sand. Every step is a function from one state to the next, so that any can be
 * undone. Rule numbers refer to docs/spec/ubongo.md.
 */

import { COLOURS, GEMS, POINTS, type Colour, type Gem, type Purse } from '../../../lib/wire';
import { shuffle, type Chance } from '../../../companion/chance';

export const ROUNDS = 9;
/** The bag begins with 9 of each kind, and the display with 9 of each of its two kinds (G3, G5). */
export const GEMS_OF_EACH_KIND = 9;

/** Sand that runs until a moment of this device's clock, or is stopped with some time left (ms). */
export type Sand = { until: number } | { left: number };

export interface BoxGame {
  names: readonly string[];
  /** How long the sand runs; null: people use a timer of their own. */
  seconds: number | null;
  /** The one after the ninth is the deciding one (G15). */
  round: number;
  /** The seats that take part in this round. */
  playing: readonly number[];
  stage: 'draw' | 'ready' | 'solving' | 'closed' | 'end';
  /** This round's tokens in the order in which they will be drawn. */
  tokens: readonly Colour[];
  /** Whether colours were drawn here; people may use the tokens of their box instead. */
  drawn: boolean;
  /** Whether the timer was turned again, because nobody had solved their card (G12). */
  second: boolean;
  sand: Sand | null;
  /** Who has called, in order. */
  solved: readonly number[];
  /** What each seat has won in this round. */
  gained: readonly (readonly Gem[])[];
  held: readonly Purse[];
  display: Purse;
  /** Shuffled; the last is drawn next. So undoing and repeating a step draws the same gem. */
  bag: readonly Gem[];
  /** Empty until the end. */
  winners: readonly number[];
}

const createPurse = (some: Partial<Purse> = {}): Purse => ({
  ruby: 0,
  sapphire: 0,
  emerald: 0,
  amber: 0,
  ...some,
});

export function newGame(
  names: readonly string[],
  seconds: number | null,
  chance: Chance = Math.random,
): BoxGame {
  const seats = names.map((_, seat) => seat);
  return {
    names,
    seconds,
    ...createRound(seats, chance),
    round: 1,
    held: seats.map(() => createPurse()),
    display: createPurse({ sapphire: GEMS_OF_EACH_KIND, amber: GEMS_OF_EACH_KIND }),
    bag: shuffle(
      GEMS.flatMap((gem) => Array.from({ length: GEMS_OF_EACH_KIND }, () => gem)),
      chance,
    ),
    gained: seats.map(() => []),
    winners: [],
  };
}

/** A round for which nobody has drawn a colour yet. */
const createRound = (playing: readonly number[], chance: Chance) => ({
  playing,
  stage: 'draw' as const,
  tokens: shuffle(COLOURS, chance),
  drawn: false,
  second: false,
  sand: null,
  solved: [],
});

export const isDeciding = ({ round }: BoxGame): boolean => round > ROUNDS;

/** The colour that a seat has drawn in this round. */
export function colourOf(game: BoxGame, seat: number): Colour | null {
  const place = game.playing.indexOf(seat);
  return game.drawn && place >= 0 ? game.tokens[place]! : null;
}

export const drawColours = (game: BoxGame): BoxGame => ({ ...game, stage: 'ready', drawn: true });

/** Turn the timer, if there is one; the deciding round has none (G15). */
export const turnHourglass = (game: BoxGame, now: number): BoxGame => ({
  ...game,
  stage: 'solving',
  sand: game.seconds === null || isDeciding(game) ? null : { until: now + game.seconds * 1000 },
});

/** A second chance for everyone, after nobody has solved their card (G12). */
export const startSecondChance = (game: BoxGame, now: number): BoxGame =>
  turnHourglass({ ...game, second: true }, now);

export const mayHaveSecondChance = (game: BoxGame): boolean =>
  game.stage === 'closed' && !game.second && !game.solved.length && !isDeciding(game);

export function pauseTimer(game: BoxGame, now: number): BoxGame {
  const { sand } = game;
  return sand && 'until' in sand
    ? { ...game, sand: { left: Math.max(0, sand.until - now) } }
    : game;
}

export function resumeTimer(game: BoxGame, now: number): BoxGame {
  const { sand } = game;
  return sand && 'left' in sand ? { ...game, sand: { until: now + sand.left } } : game;
}

/** Close the round: the sand has run out, or everyone has given up. */
export const closeRound = (game: BoxGame): BoxGame => ({ ...game, stage: 'closed', sand: null });

/**
 * Whether a call may be scored. It may even when the round is closed: people call, and somebody
 * taps for them a little later.
 */
export const mayCallUbongo = (game: BoxGame, seat: number): boolean =>
  (game.stage === 'solving' || game.stage === 'closed') &&
  game.playing.includes(seat) &&
  !game.solved.includes(seat) &&
  !(game.second && game.solved.length);

/** Score a call: the caller's place, and the gems for it (G9, G12, G15). */
export function scoreUbongoCall(game: BoxGame, seat: number): BoxGame {
  if (!mayCallUbongo(game, seat)) return game;
  const solved = [...game.solved, seat];
  if (isDeciding(game)) return { ...game, solved, stage: 'end', sand: null, winners: [seat] };
  const display = { ...game.display };
  const bag = [...game.bag];
  const won: Gem[] = [];
  const laidOut = game.second ? undefined : (['sapphire', 'amber'] as const)[game.solved.length];
  if (laidOut && display[laidOut]) {
    display[laidOut] -= 1;
    won.push(laidOut);
  }
  const drawn = bag.pop();
  if (drawn) won.push(drawn);
  const held = game.held.map((own, at) => (at === seat ? withGems(own, won) : own));
  const gained = game.gained.map((gems, at) => (at === seat ? won : gems));
  const called = { ...game, solved, display, bag, held, gained };
  return game.second || solved.length === game.playing.length ? closeRound(called) : called;
}

function withGems(own: Purse, gems: readonly Gem[]): Purse {
  const more = { ...own };
  for (const gem of gems) more[gem] += 1;
  return more;
}

/**
 * Put the round's remaining sapphire and amber into the bag (G11, G12), and go on to the next
 * round.
 */
export function nextRound(game: BoxGame, chance: Chance = Math.random): BoxGame {
  if (isDeciding(game)) return { ...game, stage: 'end', sand: null, winners: game.playing };
  const display = { ...game.display };
  const bag = [...game.bag];
  for (const gem of ['sapphire', 'amber'] as const) {
    while (display[gem] > GEMS_OF_EACH_KIND - game.round) {
      display[gem] -= 1;
      bag.splice(Math.floor(chance() * (bag.length + 1)), 0, gem);
    }
  }
  const settled = { ...game, display, bag, sand: null };
  const gained = game.names.map(() => []);
  const best = leaders(settled);
  if (game.round < ROUNDS)
    return { ...settled, ...createRound(game.playing, chance), gained, round: game.round + 1 };
  if (best.length === 1) return { ...settled, stage: 'end', winners: best };
  return { ...settled, ...createRound(best, chance), gained, round: game.round + 1 };
}

export const pointsOf = (own: Purse): number =>
  GEMS.reduce((sum, gem) => sum + own[gem] * POINTS[gem], 0);

/** Those with the most points. */
export function leaders({ held }: BoxGame): number[] {
  const points = held.map(pointsOf);
  const most = Math.max(...points);
  return [...points.keys()].filter((seat) => points[seat] === most);
}

export const gemsInBag = ({ bag }: BoxGame): Purse => withGems(createPurse(), bag);

/**
 * The game as it was before a step, but with the current sand if it's the same round's: undoing
 * doesn't turn the timer back.
 */
export function withCurrentTimer(before: BoxGame, now: BoxGame): BoxGame {
  const same = before.round === now.round && before.second === now.second;
  return same && before.sand && now.sand ? { ...before, sand: now.sand } : before;
}
