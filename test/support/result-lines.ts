import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

const errorLengthMax = 300;

/**
 * Appends a line for each test when it ends: state, file, name, and the first error, separated by tabs. A run that is stopped early leaves
 * the results that it had, and the results of several runs can be combined by test (`.ci/run`).
 */
export class ResultLines implements Reporter {
  readonly #path: string;
  constructor(path: string) {
    this.#path = path;
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    this.#append(state, test.module, test.fullName, errors[0]?.message);
  }

  /** A file that cannot be loaded and a failed hook have no failed test. */
  onTestModuleEnd(module: TestModule): void {
    const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
    if (errors.length > 0) this.#append('failed', module, 'the file', errors[0]?.message);
  }

  #append(state: string, { moduleId, project }: TestModule, name: string, error = ''): void {
    const file = relative(project.config.root, moduleId);
    const columns = [state, file, name, stripVTControlCharacters(error).slice(0, errorLengthMax)].map((text) => text.replace(/\s+/g, ' '));
    appendFileSync(this.#path, `${columns.join('\t')}\n`);
  }
}
