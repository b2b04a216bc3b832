import { expect, test } from 'vitest';
import { seal, unseal } from '../../sdk/src/plugin-seal.ts';

test('the postback key of a plugin can be read with the same API key only', () => {
  const sealed = seal('pbk_secret', 'trb_one');
  expect(sealed).not.toContain('pbk');
  expect(unseal(sealed, 'trb_one')).toBe('pbk_secret');
  expect(unseal(sealed, 'trb_two')).toBeNull();
  expect(unseal('', 'trb_one')).toBeNull();
});
