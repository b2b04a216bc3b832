const { generateMigration, runMigrations } = require('@vendure/core');
const { transpileModule, ModuleKind } = require('typescript');
const { readFileSync, writeFileSync } = require('node:fs');
const { config } = require('./vendure-config.js');

/** Writes and runs a migration, as `npx vendure migrate` does. Prints what it changes. */
async function migrate(name) {
  const file = await generateMigration(config, { name, outputDir: process.env.MIGRATIONS });
  console.log(`MIGRATION ${file ?? 'none'}`);
  if (file === undefined) return;
  const { outputText } = transpileModule(readFileSync(file, 'utf8'), { compilerOptions: { module: ModuleKind.CommonJS } });
  writeFileSync(file.replace(/ts$/, 'js'), outputText);
  await runMigrations(config);
}

migrate(process.argv[2]).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
