/**
 * Ubongo on one device: the same puzzle, one after the other, each against their own clock. The
 * table itself runs no timer. When everyone has had their turn, the solutions are sent to it in the
 * order of their times: so places and gems are as the rules have them.
 */

import { store, stored } from '../../../lib/storage';
import type { TableLink } from '../../../connection/table-connection.svelte';
import { time } from '../../../connection/server-clock';
import type { Deal, Shape, TableInfo, UbongoView } from '../../../lib/wire';
import { keptSeconds } from '../../../connection/table-storage';

export type Placed = Readonly<Record<number, Shape>>;

export interface Run {
  seat: number;
  /** How long it took; null: not solved. */
  ms: number | null;
  placed: Placed;
}

interface Kept {
  match: string;
  round: number;
  running: { seat: number; began: number } | null;
  runs: readonly Run[];
}

/** The quickest first; who has not solved it comes last. */
export const ranked = (runs: readonly Run[]): Run[] =>
  [...runs].sort((one, other) => (one.ms ?? Infinity) - (other.ms ?? Infinity));

/** Who has their turn when: another one begins each round, so that nobody is always watched first. */
export const order = (playing: readonly number[], round: number): number[] => {
  const first = Math.max(0, round - 1) % Math.max(1, playing.length);
  return [...playing.slice(first), ...playing.slice(0, first)];
};

/** Whether a table is one of these: all seats are ours, and nothing but us measures the time. */
export const isPassed = (info: TableInfo, yours: readonly number[]): boolean =>
  info.game === 'ubongo' &&
  yours.length > 1 &&
  yours.length === info.chairs.length &&
  info.options.same_puzzle &&
  info.options.seconds === null;

export class Race {
  readonly #link: TableLink;
  /** How long each may take; null: as long as they like. */
  readonly seconds: number | null;
  #kept: Kept = $state.raw({ match: '', round: 0, running: null, runs: [] });
  sending = $state(false);

  constructor(link: TableLink) {
    this.#link = link;
    this.seconds = keptSeconds(link.table);
    this.#kept = stored<Kept>(`race.${link.table}`, this.#kept);
  }

  get #view(): UbongoView {
    return this.#link.view as UbongoView;
  }

  /** What is kept of the round that is on; nothing of an earlier one counts. */
  get #now(): Kept {
    const { match } = this.#link;
    const { round } = this.#view;
    return this.#kept.match === match && this.#kept.round === round
      ? this.#kept
      : { match, round, running: null, runs: [] };
  }

  get runs(): readonly Run[] {
    return this.#now.runs;
  }

  get running(): Kept['running'] {
    return this.#now.running;
  }

  get deal(): Deal | undefined {
    return this.#view.deals[this.running?.seat ?? this.#view.playing[0]!];
  }

  /** Who has not had their turn. */
  get next(): number | null {
    const done = this.runs.map(({ seat }) => seat);
    const waiting = order(this.#view.playing, this.#view.round);
    return waiting.find((seat) => !done.includes(seat)) ?? null;
  }

  get until(): number | null {
    return this.running && this.seconds !== null ? this.running.began + 1000 * this.seconds : null;
  }

  start(seat: number): void {
    this.#keep({ ...this.#now, running: { seat, began: time.now() } });
  }

  /** The turn that is on ends: with a solution, or without one. */
  finish(placed: Placed | null): void {
    const { running, runs } = this.#now;
    if (!running) return;
    const ms = placed && time.now() - running.began;
    const run: Run = { seat: running.seat, ms, placed: placed ?? {} };
    this.#keep({ ...this.#now, running: null, runs: [...runs, run] });
  }

  /** Nobody has solved what must be decided: everyone tries again. */
  again(): void {
    this.#keep({ ...this.#now, running: null, runs: [] });
  }

  /** Tell the table what has happened, in the order of the times. */
  async send(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    const { match, round } = this.#now;
    const over = () =>
      this.#link.match !== match || this.#view.outcome || this.#view.round !== round;
    try {
      for (const run of ranked(this.runs)) {
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

  /** A view that shows the times as they were taken here. */
  timed(view: UbongoView): UbongoView {
    if (view.began === null) return view;
    const began = view.began;
    return {
      ...view,
      solutions: view.solutions.map((solution) => {
        const ms = this.runs.find(({ seat }) => seat === solution.seat)?.ms;
        return ms == null ? solution : { ...solution, time: began + ms };
      }),
    };
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    store(`race.${this.#link.table}`, kept);
  }
}
