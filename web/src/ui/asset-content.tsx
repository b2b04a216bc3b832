import type { ProgramAsset } from '../../../sdk/src/api-schema.ts';
import styles from './asset-content.module.css';
import { CopyIcon } from './copy.tsx';
import { formatBytes } from './format.ts';
import { Icon } from './icons.tsx';

/** An asset of a program: a file to download, with a preview of an image, or a text to copy. `file` is the file's path in the API. */
export function AssetContent({ asset, file }: { readonly asset: ProgramAsset; readonly file: string }) {
  const { name, type, text, size_bytes: size } = asset;
  const href = `/api/v1${file}`;
  if (text !== null)
    return (
      <>
        <span className={styles.heading}>
          <strong>{name}</strong>
          <CopyIcon value={text} label={name} />
        </span>
        <p className={styles.text}>{text}</p>
      </>
    );
  return (
    <span className={styles.file}>
      <span className={styles.preview} aria-hidden="true">
        {type === 'image' ? <img src={href} alt="" loading="lazy" /> : <Icon name="book" />}
      </span>
      <span className={styles.name}>
        <a href={href} download={name}>
          {name}
        </a>
        <div className={styles.size}>{formatBytes(size)}</div>
      </span>
    </span>
  );
}
