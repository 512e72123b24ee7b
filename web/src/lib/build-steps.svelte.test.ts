// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { expect, test } from 'vitest';
import { BuildSteps } from './build-steps.svelte';
import { nextTask } from './next-task';

function takeSteps(count: number): { steps: BuildSteps; stop: () => void } {
  let steps!: BuildSteps;
  const stop = $effect.root(() => {
    steps = new BuildSteps(count);
  });
  flushSync();
  return { steps, stop };
}

async function finishTask(): Promise<void> {
  await nextTask();
  flushSync();
}

test('one step is taken per task, until all are done', async () => {
  const { steps, stop } = takeSteps(2);
  const taken = [];
  for (let task = 0; task < 4; task++) {
    taken.push([steps.done, steps.complete]);
    await finishTask();
  }
  stop();
  expect(taken).toEqual([
    [0, false],
    [1, false],
    [2, true],
    [2, true],
  ]);
});

test('no step is taken after the component is gone', async () => {
  const { steps, stop } = takeSteps(2);
  stop();
  await finishTask();
  await finishTask();
  expect(steps.done).toBe(0);
});
