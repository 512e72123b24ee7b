/** A match to replay: its moments, and the view at any of them. */

import { call } from '../connection/api';
import type { GameReplay, Options } from '../games/module';
import { findGame } from '../games/registry';
import type { Events, GameEvent, Sitter, TableAnswer, TableInfo, View, Views } from '../lib/wire';
import { fetchAllEvents } from './fetch-events';
import { buildTimeline, type Moment } from './timeline';

/** Views in one answer. */
const VIEWS_PER_CHUNK = 50;

export class RecordedMatch {
  /** The loaded views, by how many events came before them. */
  #views: Readonly<Record<number, View>> = $state.raw({});
  #asked: Record<number, Promise<void> | undefined> = {};

  private constructor(
    readonly path: string,
    readonly info: TableInfo,
    readonly number: number,
    readonly seat: number | null,
    /** The only seat that this browser holds at the table; null: none, or several. */
    readonly ownSeat: number | null,
    readonly over: boolean,
    readonly sitters: readonly Sitter[],
    /** Of this match; the next one may have others. */
    readonly options: Options,
    readonly replay: GameReplay<View, GameEvent>,
    readonly moments: readonly Moment[],
    /** How many events there are. */
    readonly seq: number,
  ) {}

  /** Everything is open once the match is over; before that, a player sees their own view. */
  static async load(table: string, number: number): Promise<RecordedMatch> {
    const path = `/tables/${table}/matches/${number}`;
    const { table: info, yours } = await call<TableAnswer>('GET', `/tables/${table}`);
    const first = await call<Events>('GET', `${path}/events?limit=1`);
    const seat = first.over ? null : (yours[0] ?? null);
    const ownSeat = yours.length === 1 ? yours[0]! : null;
    const asSeat = seat === null ? '' : `&seat=${seat}`;
    const { events, actors, seq, over } = await fetchAllEvents(path, seat);
    const { sitters } = await call<Views>('GET', `${path}/views?limit=1${asSeat}`);
    const replay = await findGame(info.game).replay();
    const moments = buildTimeline(events, replay.timeline, actors);
    const [opened] = events;
    const options = opened?.kind === 'match_opened' ? opened.options : info.options;
    return new RecordedMatch(
      path,
      info,
      number,
      seat,
      ownSeat,
      over,
      sitters,
      options,
      replay,
      moments,
      seq,
    );
  }

  view(seq: number): View | null {
    return this.#views[seq] ?? null;
  }

  /** Load a view and those that follow it. */
  async ensureView(seq: number): Promise<void> {
    const chunk = Math.floor((seq - 1) / VIEWS_PER_CHUNK);
    await this.#loadChunk(chunk);
    // Load the next ones before somebody asks for them.
    if ((chunk + 1) * VIEWS_PER_CHUNK < this.seq)
      void this.#loadChunk(chunk + 1).catch(() => undefined);
  }

  #loadChunk(chunk: number): Promise<void> {
    return (this.#asked[chunk] ??= this.#fetchChunk(chunk));
  }

  async #fetchChunk(chunk: number): Promise<void> {
    const after = chunk * VIEWS_PER_CHUNK;
    const asSeat = this.seat === null ? '' : `&seat=${this.seat}`;
    try {
      const { views } = await call<Views>(
        'GET',
        `${this.path}/views?after=${after}&limit=${VIEWS_PER_CHUNK}${asSeat}`,
      );
      const found = Object.fromEntries(views.map((view, index) => [after + index + 1, view]));
      this.#views = { ...this.#views, ...found };
    } catch (error) {
      // Try again the next time.
      this.#asked[chunk] = undefined;
      throw error;
    }
  }
}
