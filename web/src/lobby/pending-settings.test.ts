import { expect, test } from 'vitest';
import type { Agreement, TableInfo } from '../lib/wire';
import { PendingSettings } from './pending-settings.svelte';

const agreement = { chat: false, away_seconds: 120 } as Agreement;
const info = { options: { rounds: 1 }, agreement } as unknown as TableInfo;

/** A server that answers when it's told to. */
function slowServer() {
  const requests: { value: unknown; answer: () => void; refuse: (why: Error) => void }[] = [];
  const send = (value: unknown) =>
    new Promise<void>((answer, refuse) => requests.push({ value, answer, refuse }));
  return { requests, pending: new PendingSettings({ options: send, agreement: send }) };
}
const settle = () => new Promise((done) => setTimeout(done));

test('a second choice keeps the first, unanswered one', async () => {
  const { requests, pending } = slowServer();
  const first = pending.save('agreement', { ...pending.applyTo(info).agreement, chat: true });
  const second = pending.save('agreement', {
    ...pending.applyTo(info).agreement,
    away_seconds: 30,
  });
  await settle();
  expect(requests.map(({ value }) => value)).toEqual([{ chat: true, away_seconds: 120 }]);
  requests[0]!.answer();
  await first;
  expect(requests[1]!.value).toEqual({ chat: true, away_seconds: 30 });
  expect(pending.applyTo(info).agreement.chat).toBe(true);
  requests[1]!.answer();
  await second;
  expect(pending.applyTo(info)).toEqual(info);
});

test('a refused choice is reverted, and the next one is sent', async () => {
  const { requests, pending } = slowServer();
  const refused = pending.save('agreement', { ...agreement, chat: true });
  const next = pending.save('options', { rounds: 3 } as unknown as TableInfo['options']);
  await settle();
  requests[0]!.refuse(new Error('no'));
  await expect(refused).rejects.toThrow('no');
  expect(pending.applyTo(info).agreement).toEqual(agreement);
  await settle();
  requests[1]!.answer();
  await next;
  expect(requests).toHaveLength(2);
});
