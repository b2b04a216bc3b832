import { generateKeyPairSync, sign } from 'node:crypto';

const dayMs = 86_400_000;
const tag = { integer: 0x02, bits: 0x03, object: 0x06, text: 0x0c, utcTime: 0x17, sequence: 0x30, set: 0x31 } as const;
const ecdsaWithSha256 = Buffer.from('2a8648ce3d040302', 'hex'); // 1.2.840.10045.4.3.2
const commonName = Buffer.from('550403', 'hex'); // 2.5.4.3

/**
 * A self-signed certificate with its key, valid for two days, for tests over https. It is generated each time: a key in the repository
 * would look like a leaked one, and not every machine has openssl.
 */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(tag.sequence, der(tag.object, ecdsaWithSha256));
  const name = der(
    tag.sequence,
    der(tag.set, der(tag.sequence, der(tag.object, commonName), der(tag.text, Buffer.from('a store in a test')))),
  );
  const validity = der(tag.sequence, utcTime(Date.now() - dayMs), utcTime(Date.now() + dayMs));
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' });
  const body = der(tag.sequence, der(tag.integer, Buffer.from([1])), algorithm, name, validity, name, subjectKey);
  const certificate = der(tag.sequence, body, algorithm, der(tag.bits, Buffer.from([0]), sign('sha256', body, privateKey)));
  const lines = certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** One value in DER, the encoding of certificates: tag, length, content. */
function der(kind: number, ...content: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(content);
  const long = bytes.length < 0x100 ? [0x81, bytes.length] : [0x82, bytes.length >> 8, bytes.length & 0xff];
  return Buffer.concat([Buffer.from([kind, ...(bytes.length < 0x80 ? [bytes.length] : long)]), bytes]);
}

function utcTime(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return der(tag.utcTime, Buffer.from(`${digits}Z`));
}
