import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from 'node:process';
import type { BrowserContext, Locator } from 'playwright-core';
import { invariant } from '../../src/core/invariant.ts';

/** Text is as sharp as in a PNG, in half of its bytes. */
const quality = 0.9;

/** Converts a screenshot to WebP, which the browser encodes. */
export async function webpOf(context: BrowserContext, png: Buffer): Promise<Buffer> {
  const page = await context.newPage();
  const draw = `(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', ${quality});
  })()`;
  const [kind, webp] = String(await page.evaluate(draw)).split(',');
  invariant(kind === 'data:image/webp;base64' && webp, 'this browser encodes WebP');
  await page.close();
  return Buffer.from(webp, 'base64');
}

/** Takes a picture of a page for docs/platforms.md, if `PLUGIN_PICTURES` names a folder for them. */
export async function picture(of: Locator, name: string): Promise<void> {
  const folder = env['PLUGIN_PICTURES'] ?? '';
  if (folder === '') return;
  await mkdir(folder, { recursive: true });
  const png = await of.screenshot({ animations: 'disabled' });
  // The context of a page that the browser opened itself has no second page.
  const context = await of.page().context().browser()?.newContext();
  invariant(context, 'the page is in a browser that was launched');
  await writeFile(join(folder, `${name}.webp`), await webpOf(context, png));
  await context.close();
}
