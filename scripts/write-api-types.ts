import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiSchemaFile, apiSchemaText } from './api-schema.ts';

/** `npm run api-types` writes the types of the API's clients. A test in test/architecture compares the file with the document. */
writeFileSync(join(import.meta.dirname, '..', apiSchemaFile), apiSchemaText());
