/** Keep the screen on where that can be had, until what this returns is called. */
export function keepScreenOn(): () => void {
  let wanted = true;
  let lock: WakeLockSentinel | null = null;

  async function take(): Promise<void> {
    if (!wanted || document.visibilityState !== 'visible') return;
    try {
      lock = (await navigator.wakeLock?.request('screen')) ?? null;
      if (!wanted) await lock?.release();
    } catch {
      // A low battery may forbid it: then the screen goes dark as it always does.
    }
  }

  void take();
  document.addEventListener('visibilitychange', take);
  return () => {
    wanted = false;
    document.removeEventListener('visibilitychange', take);
    void lock?.release();
  };
}
