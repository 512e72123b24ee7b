import type { TableConnection } from '../connection/table-connection.svelte';

/** Whether we play one seat against nothing but bots: then whatever is for other people is left out. */
export const isAloneWithBots = ({ info, yours }: TableConnection): boolean =>
  yours.length === 1 &&
  info!.chairs.every(({ kind }, seat) => kind === 'bot' || yours.includes(seat));
