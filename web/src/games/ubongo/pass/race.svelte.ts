/**
 * Ubongo on one device: the same puzzle, one after the other, each against their own clock. The
 * table itself runs no timer. When everyone has had their turn, the solutions are sent to it in the
 * order of their times: so places and gems are as the rules have them.
 */

import { storage } from '../../../lib/storage';
import type { TableConnection } from '../../../connection/table-connection.svelte';
import { serverClock } from '../../../connection/server-clock';
import type { Deal, UbongoView } from '../../../lib/wire';
import type { Placed } from '../placement';

export interface Run {
  seat: number;
  /** How long it took; null: not solved. */
  ms: number | null;
  placed: Placed;
}

/** Whoever is at it. */
interface RaceTurn {
  seat: number;
  /** When the card is turned and the time begins, on the server's clock. */
  began: number;
  /** Kept, so that a reload doesn't lose the pieces. */
  placed: Placed;
}

interface StoredRace {
  match: string;
  round: number;
  running: RaceTurn | null;
  runs: readonly Run[];
}

/** Three, two, one. */
export const COUNTDOWN_MS = 3000;

/** The quickest first; those who didn't solve it come last. */
export const rankRuns = (runs: readonly Run[]): Run[] =>
  [...runs].sort((one, other) => (one.ms ?? Infinity) - (other.ms ?? Infinity));

/** Whose turn is when. Somebody else begins each round, so that nobody always has to go first. */
export const turnOrder = (playing: readonly number[], round: number): number[] => {
  const first = Math.max(0, round - 1) % Math.max(1, playing.length);
  return [...playing.slice(first), ...playing.slice(0, first)];
};

/** How long each may take; null: as long as they like. */
export const savePassSeconds = (table: string, seconds: number | null): void =>
  storage.set(`race.seconds.${table}`, seconds);

const loadPassSeconds = (table: string): number | null => storage.get(`race.seconds.${table}`, 60);

export class Race {
  readonly #link: TableConnection;
  /** How long each may take; null: as long as they like. */
  readonly seconds: number | null;
  #kept: StoredRace = $state.raw({ match: '', round: 0, running: null, runs: [] });
  sending = $state(false);

  constructor(connection: TableConnection) {
    this.#link = connection;
    this.seconds = loadPassSeconds(connection.table);
    this.#kept = storage.get<StoredRace>(`race.${connection.table}`, this.#kept);
  }

  get #view(): UbongoView {
    return this.#link.view as UbongoView;
  }

  /** The current round; nothing that was kept of an earlier one counts. */
  get #now(): StoredRace {
    const { match } = this.#link;
    const { round } = this.#view;
    return this.#kept.match === match && this.#kept.round === round
      ? this.#kept
      : { match, round, running: null, runs: [] };
  }

  get runs(): readonly Run[] {
    return this.#now.runs;
  }

  get running(): RaceTurn | null {
    return this.#now.running;
  }

  get deal(): Deal | undefined {
    return this.#view.deals[this.running?.seat ?? this.#view.playing[0]!];
  }

  /** The next seat that hasn't had its turn. */
  get next(): number | null {
    const done = this.runs.map(({ seat }) => seat);
    const waiting = turnOrder(this.#view.playing, this.#view.round);
    return waiting.find((seat) => !done.includes(seat)) ?? null;
  }

  get until(): number | null {
    return this.running && this.seconds !== null ? this.running.began + 1000 * this.seconds : null;
  }

  start(seat: number): void {
    const began = serverClock.now() + COUNTDOWN_MS;
    this.#keep({ ...this.#now, running: { seat, began, placed: {} } });
  }

  /** Keep what lies on the card. */
  keepPlaced(placed: Placed): void {
    const { running } = this.#now;
    if (running) this.#keep({ ...this.#now, running: { ...running, placed } });
  }

  /** End the current turn, with or without a solution. */
  finish(placed: Placed | null): void {
    const { running, runs } = this.#now;
    if (!running) return;
    const ms = placed && serverClock.now() - running.began;
    const run: Run = { seat: running.seat, ms, placed: placed ?? {} };
    this.#keep({ ...this.#now, running: null, runs: [...runs, run] });
  }

  /** Let everyone try again, because nobody has solved the deciding card. */
  restart(): void {
    this.#keep({ ...this.#now, running: null, runs: [] });
  }

  /** Send everyone's results to the table, in the order of their times. */
  async send(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    const { match, round } = this.#now;
    const over = () =>
      this.#link.match !== match || this.#view.outcome || this.#view.round !== round;
    try {
      for (const run of rankRuns(this.runs)) {
        const { solutions, gave_up } = this.#view;
        if (over()) return;
        if (solutions.some(({ seat }) => seat === run.seat) || gave_up.includes(run.seat)) continue;
        if (run.ms === null) await this.#link.act({ kind: 'give_up' }, run.seat);
        else
          for (const [piece, cells] of Object.entries(run.placed))
            await this.#link.act({ kind: 'place', piece: Number(piece), cells }, run.seat);
      }
    } finally {
      this.sending = false;
    }
  }

  /**
   * The view with the results from here: the times that were taken, and nobody has given up. The table
   * is only told so of those who ran out of time.
   */
  withOwnResults(view: UbongoView): UbongoView {
    const solutions = view.solutions.map((solution) => {
      const ms = this.runs.find(({ seat }) => seat === solution.seat)?.ms;
      if (ms == null || view.began === null) return solution;
      const time = view.began + ms;
      return { ...solution, time, arrived: time };
    });
    return { ...view, solutions, gave_up: [] };
  }

  #keep(kept: StoredRace): void {
    this.#kept = kept;
    storage.set(`race.${this.#link.table}`, kept);
  }
}
