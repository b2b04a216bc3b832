import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { PublicProgram } from './load-program.ts';
import { drawPreviewImage, type PreviewTexts } from './preview-image.ts';
import { rateTexts } from './terms-texts.ts';

/** An image is about 25 kB. */
const imagesMax = 200;
/** Drawing takes up to 150 ms of CPU time, and everyone may request it for every program. */
const drawnPerSecond = 2;

/** Draws an image once per content in each process. Null if too many images had to be drawn in this second. */
export function cachePreviews(): (shown: PreviewFacts) => Promise<Buffer | null> {
  const images = new Map<string, Promise<Buffer | null>>();
  const limiter = new RateLimiterMemory({ points: drawnPerSecond, duration: 1 });
  const draw = async (texts: PreviewTexts, accent: string): Promise<Buffer | null> => {
    const isPermitted = await limiter.consume('all').then(
      () => true,
      () => false,
    );
    return isPermitted ? drawPreviewImage(texts, accent) : null;
  };
  return async ({ program, store, terms, page }) => {
    const [rate = ''] = rateTexts(terms, 'en');
    const texts = { program: program.name, store: store.name, host: new URL(store.siteUrl).host, rate };
    const key = JSON.stringify([texts, page.accentColor]);
    const known = images.get(key);
    if (known !== undefined) return known;
    const [oldest] = images.keys();
    if (images.size >= imagesMax && oldest !== undefined) images.delete(oldest);
    const drawing = draw(texts, page.accentColor);
    images.set(key, drawing);
    const image = await drawing.catch(() => null);
    if (image === null) images.delete(key);
    return drawing;
  };
}

type PreviewFacts = Pick<PublicProgram, 'program' | 'store' | 'terms' | 'page'>;
