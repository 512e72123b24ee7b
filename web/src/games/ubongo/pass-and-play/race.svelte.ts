/**
 * Ubongo on one device: the same puzzle, one after the other, each against their own clock. The
 * table itself runs no timer. When everyone has had their turn, the solutions are sent to it in the
 * order of their times, so that places and gems follow the rules.
 */

import { storage } from '../../../lib/storage';
import type { TableConnection } from '../../../connection/table-connection.svelte';
import { serverClock } from '../../../connection/server-clock';
import type { Deal, UbongoView } from '../../../lib/wire';
import type { Placed } from '../placement';

export interface RaceResult {
  seat: number;
  /** How long it took; null: not solved. */
  ms: number | null;
  placed: Placed;
}

/** The turn that is being played. */
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
  runs: readonly RaceResult[];
}

/** Three, two, one. */
export const COUNTDOWN_MS = 3000;

/** The fastest first; those who didn't solve it come last. */
export const rankResults = (runs: readonly RaceResult[]): RaceResult[] =>
  [...runs].sort((one, other) => (one.ms ?? Infinity) - (other.ms ?? Infinity));

/** The seats in turn order. A different one begins each round, so that nobody always goes first. */
export const turnOrder = (playing: readonly number[], round: number): number[] => {
  const first = Math.max(0, round - 1) % Math.max(1, playing.length);
  return [...playing.slice(first), ...playing.slice(0, first)];
};

/** How long each may take; null: as long as they like. */
export const saveSecondsPerTurn = (table: string, seconds: number | null): void =>
  storage.set(`race.seconds.${table}`, seconds);

const loadSecondsPerTurn = (table: string): number | null =>
  storage.get(`race.seconds.${table}`, 60);

export class Race {
  readonly #connection: TableConnection;
  /** How long each may take; null: as long as they like. */
  readonly secondsPerTurn: number | null;
  #stored: StoredRace = $state.raw({ match: '', round: 0, running: null, runs: [] });
  sending = $state(false);

  constructor(connection: TableConnection) {
    this.#connection = connection;
    this.secondsPerTurn = loadSecondsPerTurn(connection.table);
    this.#stored = storage.get<StoredRace>(`race.${connection.table}`, this.#stored);
  }

  get #view(): UbongoView {
    return this.#connection.view as UbongoView;
  }

  /** The current round; anything stored for an earlier one is ignored. */
  get #currentRound(): StoredRace {
    const { match } = this.#connection;
    const { round } = this.#view;
    return this.#stored.match === match && this.#stored.round === round
      ? this.#stored
      : { match, round, running: null, runs: [] };
  }

  get results(): readonly RaceResult[] {
    return this.#currentRound.runs;
  }

  get currentTurn(): RaceTurn | null {
    return this.#currentRound.running;
  }

  get deal(): Deal | undefined {
    return this.#view.deals[this.currentTurn?.seat ?? this.#view.playing[0]!];
  }

  /** The next seat that hasn't had its turn. */
  get nextSeat(): number | null {
    const done = this.results.map(({ seat }) => seat);
    const waiting = turnOrder(this.#view.playing, this.#view.round);
    return waiting.find((seat) => !done.includes(seat)) ?? null;
  }

  get turnEndsAt(): number | null {
    return this.currentTurn && this.secondsPerTurn !== null
      ? this.currentTurn.began + 1000 * this.secondsPerTurn
      : null;
  }

  startTurn(seat: number): void {
    const began = serverClock.now() + COUNTDOWN_MS;
    this.#save({ ...this.#currentRound, running: { seat, began, placed: {} } });
  }

  /** Keep what lies on the card. */
  savePlaced(placed: Placed): void {
    const { running } = this.#currentRound;
    if (running) this.#save({ ...this.#currentRound, running: { ...running, placed } });
  }

  /** End the current turn, with or without a solution. */
  finishTurn(placed: Placed | null): void {
    const { running, runs } = this.#currentRound;
    if (!running) return;
    const ms = placed && serverClock.now() - running.began;
    const run: RaceResult = { seat: running.seat, ms, placed: placed ?? {} };
    this.#save({ ...this.#currentRound, running: null, runs: [...runs, run] });
  }

  /** Let everyone try again, because nobody has solved the deciding card. */
  restartRound(): void {
    this.#save({ ...this.#currentRound, running: null, runs: [] });
  }

  /** Send everyone's results to the table, in the order of their times. */
  async sendResults(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    const { match, round } = this.#currentRound;
    const isRoundOver = () =>
      this.#connection.match !== match || this.#view.outcome || this.#view.round !== round;
    try {
      for (const run of rankResults(this.results)) {
        const { solutions, gave_up } = this.#view;
        if (isRoundOver()) return;
        if (solutions.some(({ seat }) => seat === run.seat) || gave_up.includes(run.seat)) continue;
        if (run.ms === null) await this.#connection.act({ kind: 'give_up' }, run.seat);
        else
          for (const [piece, cells] of Object.entries(run.placed))
            await this.#connection.act({ kind: 'place', piece: Number(piece), cells }, run.seat);
      }
    } finally {
      this.sending = false;
    }
  }

  /**
   * The view with the times that were measured here, even of seats whose results the table doesn't
   * have yet. A seat that ran out of time gives up at the table; nobody really has, so the view
   * doesn't say so.
   */
  withRaceResults(view: UbongoView): UbongoView {
    const { results } = this;
    const { began } = view;
    const measured = rankResults(results).flatMap(({ seat, ms }) => {
      if (ms === null || began === null) return [];
      return [{ seat, time: began + ms, arrived: began + ms }];
    });
    const others = view.solutions.filter(
      (told) => !measured.some(({ seat }) => seat === told.seat),
    );
    return { ...view, solutions: [...measured, ...others], gave_up: [] };
  }

  #save(kept: StoredRace): void {
    this.#stored = kept;
    storage.set(`race.${this.#connection.table}`, kept);
  }
}
