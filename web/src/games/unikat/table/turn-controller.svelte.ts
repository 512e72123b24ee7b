/** What a player does with the draft and the table: said, heard, and sent when it is complete. */

import { t } from '../../../lib/i18n.svelte';
import { toasts } from '../../../lib/toasts.svelte';
import { settings } from '../../../lib/settings.svelte';
import { play as sound } from '../../../lib/sounds';
import { announcer } from '../../../lib/announcer.svelte';
import type { Cell, Take, Tile, UnikatAction, UnikatView } from '../../../lib/wire';
import type { Draft } from './draft.svelte';
import { hint, type Hint } from './hint';
import { longReason } from './status';

export interface TurnContext {
  view(): UnikatView;
  /** Somebody sits here, and what they see is the newest. */
  mayAct(): boolean;
  act(action: UnikatAction): Promise<unknown>;
}

export class TurnController {
  /** Sent, and not answered. */
  pending = $state(false);
  readonly #draft: Draft;
  readonly #around: TurnContext;

  constructor(draft: Draft, around: TurnContext) {
    this.#draft = draft;
    this.#around = around;
  }

  get playing(): boolean {
    return this.#around.mayAct() && !this.pending;
  }

  get #view(): UnikatView {
    return this.#around.view();
  }

  async send(action: UnikatAction): Promise<void> {
    if (this.pending) return;
    this.pending = true;
    try {
      await this.#around.act(action);
    } catch (error) {
      sound('wrong');
      toasts.error(error);
    } finally {
      this.pending = false;
    }
  }

  choose(tile: Tile): void {
    const draft = this.#draft;
    if (draft.has(tile)) {
      this.takeBack(tile);
      return;
    }
    draft.choose(tile);
    sound('lift');
    if (!draft.chosen || !this.playing) return;
    if (this.#view.choices.swap || draft.mayLay) {
      announcer.say(t('page.unikat.places', { n: draft.places.length }));
    }
  }

  put(tile: Tile, cell: Cell): void {
    const draft = this.#draft;
    if (!this.playing || this.#view.choices.draw) return;
    if (draft.place(tile, cell)) {
      sound(draft.gold.at(-1) ? 'bonus' : 'lay');
      if (draft.earned) announcer.say(t('page.unikat.status.earned'));
      return;
    }
    sound('wrong');
    if (draft.problem) announcer.say(longReason(draft.problem, settings.skin));
  }

  takeBack(tile?: Tile): void {
    if (this.pending || !this.#draft.chain.length) return;
    this.#draft.takeBack(tile);
    sound('lift');
  }

  take(what: Take): void {
    const { choices } = this.#view;
    if (!this.playing || !choices.take.includes(what)) return;
    if (choices.draw) void this.send({ kind: 'draw', take: what });
    else if (this.#draft.maySwap) {
      this.#draft.problem = null;
      this.#draft.take = this.#draft.take === what ? null : what;
      sound('lift');
    }
  }

  /** Choose something that can be done: a tile that fits, or else one to swap. */
  hint(): Hint | null {
    const { hand, choices } = this.#view;
    const draft = this.#draft;
    if (!this.playing || choices.draw || choices.pass) return null;
    const found = hint(draft.playable, (tile) => draft.placesOf(tile), draft.table);
    const tile = found?.tile ?? (draft.maySwap ? hand[0] : undefined);
    if (tile && draft.chosen !== tile) this.choose(tile);
    return found;
  }

  /** What the one button does, as things stand. */
  commit(): void {
    const { chain, chosen, take } = this.#draft;
    if (!this.playing) return;
    if (chain.length) void this.send({ kind: 'lay', tiles: [...chain] });
    else if (chosen && take) void this.send({ kind: 'swap', give: chosen, take });
    else if (this.#view.choices.pass) void this.send({ kind: 'pass' });
  }
}
