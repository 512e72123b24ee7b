/** Calls the server's HTTP interface. A refusal is thrown, with its code. */

import { basePath } from '../lib/navigation';
import type { Reason } from '../lib/wire';

export class RefusedError extends Error {
  constructor(
    readonly reason: Reason | 'offline',
    readonly detail: Readonly<Record<string, unknown>> = {},
    readonly status = 0,
  ) {
    super(reason);
  }
}

/** An event on the window: a private server asks for its passphrase. */
export const PASSPHRASE_NEEDED_EVENT = 'pytlik-closed';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export async function call<T>(method: Method, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(`${basePath}/api${path}`, {
      method,
      credentials: 'same-origin',
      ...(method === 'GET' ? {} : { headers: { 'Content-Type': 'application/json' } }),
      ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    });
  } catch {
    throw new RefusedError('offline');
  }
  const content: unknown = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    const { reason, detail } = (content as { error?: Partial<RefusedError> }).error ?? {};
    if (reason === 'passphrase_needed') dispatchEvent(new Event(PASSPHRASE_NEEDED_EVENT));
    throw new RefusedError(reason ?? 'internal', detail, answer.status);
  }
  return content as T;
}
