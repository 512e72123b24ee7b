/** Days as the server writes them: "2026-11-16", in UTC. */

const DAY = 24 * 60 * 60 * 1000;

export const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) - DAY).toISOString().slice(0, 10);
