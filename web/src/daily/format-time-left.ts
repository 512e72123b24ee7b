/** The time left until something comes, as text. */

const MINUTE_MS = 60 * 1000;

/** "5 hrs 12 mins", rounded up to full minutes. */
export function formatTimeLeft(ms: number, locale: string): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  const parts = [
    { n: Math.floor(minutes / 60), unit: 'hour' },
    { n: minutes % 60, unit: 'minute' },
  ];
  return parts
    .filter(({ n }) => n > 0)
    .map(({ n, unit }) => n.toLocaleString(locale, { style: 'unit', unit }))
    .join(' ')
    .replaceAll(' ', '\u00a0');
}
