import { expect, test } from 'vitest';
import { nextTask } from './next-task';

test('each call gets a task of its own, in the order of the calls', async () => {
  const done: string[] = [];
  const first = nextTask().then(() => {
    done.push('first');
    // A resolved promise continues within the same task.
    return Promise.resolve().then(() => done.push('and what follows from it'));
  });
  const second = nextTask().then(() => done.push('second'));
  await Promise.resolve();
  expect(done).toEqual([]);
  await Promise.all([first, second]);
  expect(done).toEqual(['first', 'and what follows from it', 'second']);
});
