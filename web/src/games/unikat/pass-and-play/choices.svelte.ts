/** What people agree on before they pass Unikat around. */

import type { PassAndPlayChoices } from '../../module';
import PassAndPlayForm from './PassAndPlayForm.svelte';

export class UnikatChoices implements PassAndPlayChoices {
  rounds = $state(1);

  get options() {
    return { rounds: this.rounds };
  }
}

export const Form = PassAndPlayForm;

export const createChoices = (): UnikatChoices => new UnikatChoices();
