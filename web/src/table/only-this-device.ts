import type { TableConnection } from '../connection/table-connection.svelte';

/**
 * Whether everyone who plays here does so on this device, alone against bots or passing it around:
 * then everything for people elsewhere is left out.
 */
export const isOnlyThisDevice = ({ info, yours }: TableConnection): boolean =>
  yours.length > 0 &&
  info!.chairs.every(({ kind }, seat) => kind === 'bot' || yours.includes(seat));
