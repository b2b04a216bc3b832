import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/**
 * Appends a line for each test when it ends: state, file, and name, separated by tabs. A run that is stopped early leaves the results that
 * it had, and the results of several runs can be combined by test (`.ci/run`).
 */
export class ResultLines implements Reporter {
  readonly #path: string;
  constructor(path: string) {
    this.#path = path;
  }

  onTestCaseResult(test: TestCase): void {
    this.#append(test.result().state, test.module, test.fullName);
  }

  /** A file that cannot be loaded and a failed hook have no failed test. */
  onTestModuleEnd(module: TestModule): void {
    const hooks = [...module.children.allSuites()].flatMap((suite) => suite.errors());
    if (module.errors().length + hooks.length > 0) this.#append('failed', module, 'the file');
  }

  #append(state: string, { moduleId, project }: TestModule, name: string): void {
    const file = relative(project.config.root, moduleId);
    appendFileSync(this.#path, `${[state, file, name].map((text) => text.replace(/\s+/g, ' ')).join('\t')}\n`);
  }
}
