import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateDiagrams } from './state-diagrams.ts';

writeFileSync(join(import.meta.dirname, '..', 'docs/states.md'), stateDiagrams());
