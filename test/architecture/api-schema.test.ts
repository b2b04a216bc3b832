import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apiSchemaFile, apiSchemaText } from '../../scripts/api-schema.ts';

test('the types of the API clients are those of the OpenAPI document: `npm run api-types` writes them', () => {
  const written = readFileSync(join(import.meta.dirname, '../..', apiSchemaFile), 'utf8');
  expect(written === apiSchemaText(), `${apiSchemaFile} differs from the OpenAPI document. Run \`npm run api-types\` and commit it.`).toBe(
    true,
  );
});
