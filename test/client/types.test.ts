import { expect, it } from 'vitest';
import { clientTypes } from './client-types.ts';

it('the types of the client equal those of the description', async () => {
  await expect(clientTypes()).toMatchFileSnapshot('../../client/source/api-types.ts');
});
