/** A player at Unikat's table: what is shown, what they are about to do, and what they can do. */

import { createContext, untrack } from 'svelte';
import { announcer } from '../../../lib/announcer.svelte';
import { Flights } from '../../../lib/flights.svelte';
import { t } from '../../../lib/i18n.svelte';
import { PointerDrag, type Point } from '../../../lib/pointer-drag.svelte';
import { settings } from '../../../lib/settings.svelte';
import { playSound } from '../../../lib/sounds';
import { toasts } from '../../../lib/toasts.svelte';
import type { Cell, Take, Tile, UnikatAction, UnikatEvent } from '../../../lib/wire';
import type { TableSession } from '../../../table/session';
import { BoardCamera } from '../board/board-camera.svelte';
import { describeEvent } from '../describe-event';
import { cellOf, sameCell } from '../placement';
import { aids } from './aids.svelte';
import { Draft } from './draft.svelte';
import { anchorRect } from './flight-anchors';
import { findHint } from './hint';
import { Playback } from './playback.svelte';
import { sortRack } from './sort-rack';
import { appendEvent, turnsSince, type Turn } from './round-turns';
import { spokenReason } from './status';
import { AIDS, type Aid, type PlayableUnikatMatch, type UnikatTableProps } from './table-props';

/** If an answer takes longer than this, the page says that it's waiting. */
const SLOW_ANSWER_MS = 1000;
/** How far above a finger a tile is held. */
const DRAG_LIFT_PX = 56;

export const [getSession, setSession] = createContext<UnikatSession>();

export class UnikatSession implements TableSession {
  readonly draft: Draft;
  readonly playback: Playback;
  readonly camera = new BoardCamera();
  readonly flights = new Flights<Tile | null>();
  readonly drag: PointerDrag<Tile>;
  /** The element that contains the table, for tiles to fly from and to. */
  root: HTMLElement | undefined = $state();
  /** Whether an action was sent and not answered yet. */
  pending = $state(false);
  /** Whether the answer takes so long that the page should say so. */
  slow = $state(false);
  /** The place under the dragged tile, if it fits there. */
  dropTarget: Cell | null = $state.raw(null);
  hinted: Cell | null = $state.raw(null);
  #turns: readonly Turn[] = $state.raw([]);
  /** Whether the turns from before this browser came are loaded, if they could be. */
  areTurnsLoaded = $state(false);
  /** Events that were shown while the recent ones were being loaded. */
  #eventsWhileLoading: UnikatEvent[] = [];
  readonly #props: () => UnikatTableProps;

  constructor(props: () => UnikatTableProps) {
    this.#props = props;
    this.playback = new Playback(
      untrack(() => props().client.view),
      {
        fly: (tile, from, to, durationMs) => {
          const rect = (anchor: typeof from) => anchorRect(anchor, this);
          return this.flights.fly(tile, rect(from), rect(to), { durationMs });
        },
        panToUpcoming: (cells) => this.camera.panToUpcoming(cells),
        beforeEvent: (event) => this.#beforeEvent(event),
        isDrafted: (tiles) => tiles.every((tile) => this.draft.has(tile)),
      },
    );
    this.draft = new Draft(() => this.playback.view);
    this.drag = new PointerDrag<Tile>({
      liftPx: () => DRAG_LIFT_PX,
      start: () => playSound('lift'),
      move: (tile, point) => this.#dragOver(tile, point),
      drop: (tile, point) => this.#drop(tile, point),
      end: () => (this.dropTarget = null),
    });
  }

  readonly client: PlayableUnikatMatch = $derived.by(() => this.#props().client);
  readonly names = $derived.by(() => this.#props().names);
  readonly view = $derived.by(() => this.playback.view);
  readonly spectator = $derived.by(
    () => this.#props().spectator ?? this.#props().client.seat === null,
  );
  /** The seat to speak to as "you"; null for spectators, and on a device that several share. */
  readonly you = $derived.by(() =>
    this.spectator || this.#seatsHere.length > 1 ? null : this.view.seat,
  );
  /** Whether somebody who sits here has won the match. */
  readonly won = $derived.by(() => this.over && this.#haveWon(this.view.outcome?.winners ?? []));
  /** Whether a player here may act: they see the newest view, and no action is pending. */
  readonly playing = $derived.by(
    () => !this.spectator && this.view.seat !== null && !this.playback.busy && !this.pending,
  );
  readonly over = $derived.by(
    () => this.view.phase === 'over' && !this.playback.busy && !this.#props().solo,
  );
  /** The rack in the order that the player has chosen. */
  readonly rack = $derived.by(() => sortRack(this.view.hand, aids.order));
  /** The turns of this round that are still known, the oldest first. */
  readonly turns = $derived.by(() => this.#turns);
  /**
   * What the others have done since our last turn; for a spectator, since that of the seat to move.
   */
  readonly recentTurns = $derived.by(() =>
    turnsSince(this.#turns, this.view.seat ?? this.view.to_move),
  );
  /** Whether a player here has yet to make their first move of the match. */
  readonly isNew = $derived.by(() => {
    const { seat, round, players } = this.view;
    if (seat === null || round > 1 || this.#props().lesson || !this.areTurnsLoaded) return false;
    return this.#turns.length < players && this.#turns.every((turn) => turn.seat !== seat);
  });
  /** Whether the round has been dealt, and nothing has happened in it yet. */
  readonly isDealt = $derived.by(() => {
    const { board, latest, phase } = this.view;
    return board.length === 1 && !latest.length && phase === 'action' && !this.#turns.length;
  });
  readonly heldTile = $derived.by(() => this.drag.item ?? this.draft.chosen);
  /** What may be taken from the display or the bag now. */
  readonly takes = $derived.by((): readonly Take[] => {
    const { maySwap, mayLay, chosen } = this.draft;
    const { choices } = this.view;
    const mayTake = choices.draw || (maySwap && (chosen || !mayLay));
    return this.playing && mayTake ? choices.take : [];
  });
  readonly allowedAids: readonly Aid[] = $derived.by(() => {
    const { aids, lesson } = this.#props();
    if (aids) return aids;
    if (lesson) return ['places'];
    return this.client.info?.agreement.aids === false ? [] : AIDS;
  });
  /** Help that the table allows and the player has switched on. */
  readonly activeAids = $derived.by(() => this.allowedAids.filter((aid) => aids.isOn(aid)));

  /** Follow the play. Returns a function that stops it. */
  start(): () => void {
    const stop = this.client.listenToEvents((events, view) => {
      void this.playback.add(events, view);
      // After a reconnection, the events in between are missing.
      if (!events.length) void this.#loadTurns();
    });
    void this.#loadTurns();
    return () => {
      stop();
      this.playback.close();
    };
  }

  // ------------------------------------------------------------------------------------ actions

  async send(action: UnikatAction): Promise<void> {
    if (this.pending) return;
    this.pending = true;
    const timer = setTimeout(() => (this.slow = true), SLOW_ANSWER_MS);
    try {
      await this.client.act(action);
    } catch (error) {
      playSound('wrong');
      toasts.error(error);
    } finally {
      clearTimeout(timer);
      this.pending = this.slow = false;
    }
  }

  /** Choose a tile of the rack, or take it back if it lies on the board. */
  chooseOrTakeBack(tile: Tile): void {
    const { draft } = this;
    if (draft.has(tile)) return this.takeBack(tile);
    draft.choose(tile);
    playSound('lift');
    if (!draft.chosen || !this.playing || !this.allowedAids.includes('places')) return;
    if (this.view.choices.swap || draft.mayLay)
      announcer.say(t('page.unikat.places', { n: draft.places.length }));
  }

  /** Put the chosen tile on a cell, or take back the one that lies there. */
  tapCell(cell: Cell): void {
    const { draft } = this;
    const tentative = draft.chain.find((placed) => sameCell(cellOf(placed), cell));
    if (tentative) this.takeBack(tentative[0]);
    else if (draft.chosen) this.placeTile(draft.chosen, cell);
    else draft.problem = null;
  }

  placeTile(tile: Tile, cell: Cell): void {
    const { draft } = this;
    if (!this.playing || this.view.choices.draw) return;
    if (draft.place(tile, cell)) {
      playSound(draft.earnBonus.at(-1) ? 'bonus' : 'lay');
      if (draft.earnsBonus) announcer.say(t('page.unikat.status.earned'));
      return;
    }
    playSound('wrong');
    if (draft.problem) announcer.say(spokenReason(draft.problem, settings.skin));
  }

  takeBack(tile?: Tile): void {
    if (this.pending || !this.draft.chain.length) return;
    this.draft.takeBack(tile);
    playSound('lift');
  }

  /** Draw a tile, or choose what a swap would take. */
  takeTile(what: Take): void {
    const { choices } = this.view;
    if (!this.playing || !choices.take.includes(what)) return;
    if (choices.draw) void this.send({ kind: 'draw', take: what });
    else if (this.draft.maySwap) {
      this.draft.problem = null;
      this.draft.take = this.draft.take === what ? null : what;
      playSound('lift');
    }
  }

  /** Choose something that can be done, and point out where: a tile that fits, or one to swap. */
  showHint(): void {
    const { draft, view } = this;
    this.hinted = null;
    if (!this.playing || view.choices.draw || view.choices.pass) return;
    const hint = findHint(draft.playable, (tile) => draft.placesOf(tile), draft.table);
    const tile = hint?.tile ?? (draft.maySwap ? view.hand[0] : undefined);
    if (tile && draft.chosen !== tile) this.chooseOrTakeBack(tile);
    this.hinted = hint?.cell ?? null;
  }

  /** Do what the one button currently offers. */
  commit(): void {
    const { chain, chosen, take, isPlan } = this.draft;
    if (!this.playing || isPlan) return;
    if (chain.length) void this.send({ kind: 'lay', tiles: [...chain] });
    else if (chosen && take) void this.send({ kind: 'swap', give: chosen, take });
    else if (this.view.choices.pass) void this.send({ kind: 'pass' });
  }

  // ------------------------------------------------------------------------------------ internals

  get #seatsHere(): readonly number[] {
    if (this.spectator) return [];
    return this.client.yours ?? (this.view.seat === null ? [] : [this.view.seat]);
  }

  #haveWon(winners: readonly number[]): boolean {
    return winners.some((seat) => this.#seatsHere.includes(seat));
  }

  #dragOver(tile: Tile, point: Point): void {
    if (this.draft.chosen !== tile) this.draft.choose(tile);
    const { places } = this.draft;
    const cell = this.camera.snappedCellAt(point, places);
    this.dropTarget = cell && places.some((place) => sameCell(place, cell)) ? cell : null;
  }

  #drop(tile: Tile, point: Point): void {
    const under = document.elementFromPoint(point.x, point.y);
    const source = under?.closest<HTMLElement>('[data-display] button');
    if (source)
      return this.takeTile(
        source.hasAttribute('data-bag') ? 'bag' : (source.dataset['tile'] as Tile),
      );
    const cell = this.camera.snappedCellAt(point, this.draft.places);
    if (cell) this.placeTile(tile, cell);
  }

  #beforeEvent(event: UnikatEvent): void {
    const { draft, view } = this;
    // What was chosen for this action isn't meant for the next one, but its chain still lies there.
    if (event.kind === 'tile_swapped' && event.seat === view.seat) draft.clear();
    if (event.kind === 'chain_laid' && event.seat === view.seat) draft.deselect();
    if (event.kind === 'match_ended' && this.#haveWon(event.winners)) playSound('win');
    this.#turns = appendEvent(this.#turns, event);
    this.#eventsWhileLoading.push(event);
    const listener = { names: this.names, you: view.seat, skin: settings.skin };
    announcer.say(describeEvent(event, listener));
  }

  async #loadTurns(): Promise<void> {
    this.#eventsWhileLoading = [];
    try {
      const events = (await this.client.recentEvents?.()) ?? [];
      this.#turns = [...events, ...this.#eventsWhileLoading].reduce(appendEvent, []);
    } catch {
      // They're only a reminder: everything can be seen and done without them.
    }
    this.areTurnsLoaded = true;
  }
}
