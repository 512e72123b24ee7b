/** A match that is looked at again: its events, and the view after any of them. */

import { call } from '../connection/api';
import type { View } from '../connection/table-connection.svelte';
import type { Events, Sitter, TableAnswer, TableInfo, Views } from '../lib/wire';
import { allEvents } from './events';
import { momentsOf, type Moment } from './timeline';

/** So many views come with one answer. */
const CHUNK = 50;

export class Match {
  /** The views that are there, by how many events came before them. */
  #views: Readonly<Record<number, View>> = $state.raw({});
  #asked: Record<number, Promise<void> | undefined> = {};

  private constructor(
    readonly path: string,
    readonly info: TableInfo,
    readonly number: number,
    readonly seat: number | null,
    readonly over: boolean,
    readonly sitters: readonly Sitter[],
    readonly moments: readonly Moment[],
    /** How many events there are. */
    readonly seq: number,
  ) {}

  /** Once it is over everything is open; before, one sees it with one's own eyes. */
  static async load(table: string, number: number): Promise<Match> {
    const path = `/tables/${table}/matches/${number}`;
    const { table: info, yours } = await call<TableAnswer>('GET', `/tables/${table}`);
    const first = await call<Events>('GET', `${path}/events?limit=1`);
    const seat = first.over ? null : (yours[0] ?? null);
    const asSeat = seat === null ? '' : `&seat=${seat}`;
    const { events, actors, seq, over } = await allEvents(path, seat);
    const { sitters } = await call<Views>('GET', `${path}/views?limit=1${asSeat}`);
    return new Match(path, info, number, seat, over, sitters, momentsOf(events, actors), seq);
  }

  view(seq: number): View | null {
    return this.#views[seq] ?? null;
  }

  /** See to it that a view, and those that follow it, are there. */
  async want(seq: number): Promise<void> {
    const chunk = Math.floor((seq - 1) / CHUNK);
    await this.#chunk(chunk);
    // What comes next, before somebody asks for it.
    if ((chunk + 1) * CHUNK < this.seq) void this.#chunk(chunk + 1).catch(() => undefined);
  }

  #chunk(chunk: number): Promise<void> {
    return (this.#asked[chunk] ??= this.#fetch(chunk));
  }

  async #fetch(chunk: number): Promise<void> {
    const after = chunk * CHUNK;
    const asSeat = this.seat === null ? '' : `&seat=${this.seat}`;
    try {
      const { views } = await call<Views>(
        'GET',
        `${this.path}/views?after=${after}&limit=${CHUNK}${asSeat}`,
      );
      const found = Object.fromEntries(views.map((view, index) => [after + index + 1, view]));
      this.#views = { ...this.#views, ...found };
    } catch (error) {
      // Asked again the next time.
      this.#asked[chunk] = undefined;
      throw error;
    }
  }
}
