import { mount } from 'svelte';
import App from './App.svelte';
import { words } from '../lib/i18n.svelte';
import { install } from './service-worker';
import { settings } from '../lib/settings.svelte';
import { finishEnding, renewCookie } from '../connection/devices';
import './theme.css';

settings.show();
await words.load(settings.chosen.language);
mount(App, { target: document.getElementById('app')! });
install();
// What fails is tried again when the page is opened next.
renewCookie()
  .then(finishEnding)
  .catch(() => undefined);
