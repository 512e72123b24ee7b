/** The events of a match, which come in pages. */

import { call } from '../connection/api';
import type { Events } from '../lib/wire';

/** All events so far, as a seat may see them. */
export async function fetchAllEvents(path: string, seat: number | null): Promise<Events> {
  const events: Events['events'] = [];
  const actors: Events['actors'] = [];
  const asSeat = seat === null ? '' : `&seat=${seat}`;
  for (;;) {
    const page = await call<Events>('GET', `${path}/events?after=${events.length}${asSeat}`);
    events.push(...page.events);
    actors.push(...page.actors);
    if (events.length >= page.seq || page.events.length === 0) return { ...page, events, actors };
  }
}
