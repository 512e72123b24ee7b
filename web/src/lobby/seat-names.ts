/** A table that is played now, as the games' tables want it; and what its people are called. */

import { call } from '../connection/api';
import { t } from '../lib/i18n.svelte';
import type { Play } from '../connection/play';
import type { TableLink } from '../connection/table-connection.svelte';
import type {
  ChairInfo,
  Events,
  GameAction,
  GameEvent,
  Line,
  TableInfo,
  UbongoAction,
  UbongoEvent,
  UbongoView,
  UnikatAction,
  UnikatEvent,
  UnikatView,
} from '../lib/wire';

/** Whoever holds one device for several people is ready for all of them. */
function act(link: TableLink, action: GameAction): Promise<unknown> {
  if (action.kind !== 'ready' || link.yours.length < 2) return link.act(action);
  const { view } = link;
  const waiting = link.yours.filter((seat) => !view?.ready.includes(seat));
  return Promise.all(waiting.map((seat) => link.act(action, seat)));
}

function live<View, Action, Event>(link: TableLink): Play<View, Action, Event> {
  return {
    get view() {
      return link.view as View;
    },
    get info() {
      return link.info;
    },
    get seat() {
      return link.seat;
    },
    act: (action) => act(link, action as GameAction),
    onEvents: (listener) =>
      link.onEvents((events: readonly GameEvent[], view) =>
        listener(events as readonly Event[], view as View),
      ),
    recent: async () => (await recent(link)) as readonly Event[],
  };
}

/** As many events as four turns can have, and more. */
const RECENT = 48;

/** The last events of the match, if nothing else has happened by the time they come. */
async function recent(link: TableLink): Promise<readonly unknown[]> {
  const { match, seat, seq } = link;
  const after = Math.max(seq - RECENT, 0);
  const from = `/tables/${match.replace('.', '/matches/')}/events?after=${after}`;
  const { events } = await call<Events>('GET', seat === null ? from : `${from}&seat=${seat}`);
  return link.match === match && link.seat === seat ? events.slice(0, seq - after) : [];
}

export const unikatPlay = (link: TableLink): Play<UnikatView, UnikatAction, UnikatEvent> =>
  live(link);
export const ubongoPlay = (link: TableLink): Play<UbongoView, UbongoAction, UbongoEvent> =>
  live(link);

/** What a seat is called: bots are counted only where there are several. */
export function chairName(chairs: readonly ChairInfo[], seat: number): string {
  const automatic = (chair: ChairInfo): boolean =>
    chair.kind === 'bot' || (chair.kind === 'free' && chair.stand_in);
  const chair = chairs[seat];
  if (!chair) return '';
  if (chair.name) return chair.name;
  if (chair.kind === 'person') return t('page.pass.player', { n: seat + 1 });
  if (!automatic(chair)) return t('page.lobby.free');
  const n = chairs.slice(0, seat + 1).filter(automatic).length;
  return chairs.filter(automatic).length > 1
    ? t('page.lobby.bot_number', { n })
    : t('page.lobby.bot');
}

/** What somebody has said, or what has happened to a seat, as a sentence. */
export function spoken(line: Line, chairs: readonly ChairInfo[]): string {
  if (line.change) {
    const name = line.name || t('page.pass.player', { n: line.seat + 1 });
    return t(`page.table.change.${line.change}`, { name });
  }
  const what = line.reaction ? t(`page.table.reaction.${line.reaction}`) : (line.text ?? '');
  return t('page.table.says', { name: chairName(chairs, line.seat), what });
}

export const chairNames = ({ chairs }: TableInfo): string[] =>
  chairs.map((_, seat) => chairName(chairs, seat));

/** The seats that the match waits for now. */
export function awaited(view: TableLink['view']): readonly number[] {
  if (!view || view.outcome) return [];
  const everyone = Array.from({ length: view.players }, (_, seat) => seat);
  if (view.game === 'unikat') {
    if (view.phase === 'over') return everyone.filter((seat) => !view.ready.includes(seat));
    return [view.to_move];
  }
  if (view.phase === 'ready') return view.playing.filter((seat) => !view.ready.includes(seat));
  if (view.phase === 'countdown' || view.phase === 'over') return [];
  const done = [...view.solutions.map(({ seat }) => seat), ...view.gave_up];
  return view.playing.filter((seat) => !done.includes(seat));
}
