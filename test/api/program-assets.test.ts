import { connect, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { openMerchant, otherMerchant, type Json } from '../support/merchant.ts';
import { createCreatorPerson, joinProgram, sessionHeaders, signIn, type SignedInCreator } from '../support/portal.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const owner = await signIn(merchant.service, merchant.world.logins.merchant);
const ownerHeaders = await sessionHeaders(merchant.service, merchant.world.logins.merchant);
const nora = await createCreatorPerson(merchant.service, 'Nora Newcomer');
const member = (await joinProgram(merchant, nora)).member;
const path = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}`;

const loginOf = ({ email, password }: SignedInCreator) => ({ email, password });
const mebibyte = 1_048_576;
const png = (length = 100) => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(length - 8, 7)]);
const pdf = (length = 100) => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(length - 9, 32)]);

type Upload = { readonly bytes: Buffer; readonly name?: string; readonly headers?: Readonly<Record<string, string>>; readonly at?: string };

async function upload({
  bytes,
  name = 'logo.png',
  headers = {},
  at = path,
}: Upload): Promise<{ readonly status: number; readonly json: Json }> {
  const response = await fetch(`${merchant.service.url}/api/v1${at}/asset-files?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { ...ownerHeaders, 'content-type': 'application/octet-stream', ...headers },
    body: new Uint8Array(bytes),
  });
  return { status: response.status, json: await response.json() };
}

const uploaded = async (given: Upload): Promise<string> => {
  const { status, json } = await upload(given);
  expect([status, json]).toEqual([201, expect.objectContaining({ id: expect.stringMatching(/^asset_/) })]);
  return json.id;
};
const remove = (id: string) => owner('DELETE', `${path}/assets/${id}`);

async function download(at: string, headers = ownerHeaders) {
  const response = await fetch(`${merchant.service.url}/api/v1${at}`, { headers });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

test('a member of the program sees the images, PDFs, and texts of the merchant, newest first, and downloads the same bytes', async () => {
  const image = png(700_000);
  const text = await owner('POST', `${path}/assets`, { name: 'Caption', text: 'Ten percent off this week.\nLink in bio.' });
  expect([text.status, text.json]).toMatchObject([201, { type: 'text', content_type: null, size_bytes: 39 }]);
  const imageId = await uploaded({ bytes: image, name: 'Größe "A".jpeg' });
  const pdfId = await uploaded({ bytes: pdf(), name: 'Media kit' });

  const { data } = (await nora.ask('GET', `/creators/${nora.id}/assets`)).json;
  expect(data).toMatchObject([
    { id: pdfId, type: 'pdf', name: 'Media kit.pdf', content_type: 'application/pdf', size_bytes: 100, text: null },
    { id: imageId, type: 'image', name: 'Größe -A-.png', content_type: 'image/png', size_bytes: 700_000 },
    { id: text.json.id, type: 'text', text: 'Ten percent off this week.\nLink in bio.' },
  ]);
  expect(data[0]).toMatchObject({ program_id: merchant.world.program.id, store_id: merchant.world.store.id });
  expect((await owner('GET', `${path}/assets`)).json.data.map(({ id }: Json) => id)).toEqual([pdfId, imageId, text.json.id]);

  const noras = await sessionHeaders(merchant.service, loginOf(nora));
  const [asMember, asMerchant] = [
    await download(`/creators/${nora.id}/assets/${imageId}/file`, noras),
    await download(`${path}/assets/${imageId}/file`),
  ];
  expect([asMember.status, asMerchant.status]).toEqual([200, 200]);
  expect(asMember.bytes.equals(image) && asMerchant.bytes.equals(image)).toBe(true);
  for (const id of [text.json.id, imageId, pdfId]) await remove(id);
});

test('a file is sent with the type of its bytes and headers that let nothing in it run; a PDF is only saved', async () => {
  const [imageId, pdfId] = [await uploaded({ bytes: png(), name: 'page.html' }), await uploaded({ bytes: pdf(), name: 'ä.pdf' })];
  const [image, document] = [await download(`${path}/assets/${imageId}/file`), await download(`${path}/assets/${pdfId}/file`)];
  const headersOf = ({ headers }: typeof image) =>
    ['content-type', 'content-disposition', 'x-content-type-options', 'content-security-policy', 'cross-origin-resource-policy'].map(
      (name) => headers.get(name),
    );
  const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";
  expect(headersOf(image)).toEqual([
    'image/png',
    `inline; filename="asset.png"; filename*=UTF-8''page.html.png`,
    'nosniff',
    policy,
    'same-origin',
  ]);
  expect(headersOf(document)).toEqual([
    'application/pdf',
    `attachment; filename="asset.pdf"; filename*=UTF-8''%C3%A4.pdf`,
    'nosniff',
    policy,
    'same-origin',
  ]);
  for (const id of [imageId, pdfId]) await remove(id);
});

test.each([
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
  ['HTML that is named like an image', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['no bytes', Buffer.alloc(0)],
])('%s is rejected, and nothing is stored', async (_what, bytes) => {
  expect(await upload({ bytes })).toMatchObject({ status: 422, json: { reason: 'unprocessable' } });
  expect((await owner('GET', `${path}/assets`)).json.data).toEqual([]);
});

test('a file of 5 MiB is accepted and one byte more is rejected, while JSON stays limited to 1 MiB', async () => {
  await remove(await uploaded({ bytes: png(5 * mebibyte) }));
  expect(await upload({ bytes: png(5 * mebibyte + 1) })).toMatchObject({ status: 413, json: { reason: 'payload_too_large' } });
  const text = await owner('POST', `${path}/assets`, { name: 'Long', text: 'x'.repeat(2 * mebibyte) });
  expect(text.status).toBe(413);
});

test('other operations take no files, and an upload takes no form and no JSON', async () => {
  const asFile = await fetch(`${merchant.service.url}/api/v1${path}/assets`, {
    method: 'POST',
    headers: { ...ownerHeaders, 'content-type': 'application/octet-stream' },
    body: '{"name":"a","text":"b"}',
  });
  expect(asFile.status).toBe(415);
  for (const type of ['application/json', 'multipart/form-data; boundary=a', 'text/plain'])
    expect((await upload({ bytes: png(), headers: { 'content-type': type } })).status).toBe(415);
});

type Begun = { readonly status: string; readonly socket: Socket };

/** Sends only the headers of an upload, and returns the status of the response. The socket stays open. */
function beginUpload(headers: Readonly<Record<string, string>>): Promise<Begun> {
  const { port, hostname } = new URL(merchant.service.url);
  const all = { host: 'service.test', 'content-type': 'application/octet-stream', 'content-length': '1000000', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`POST /api/v1${path}/asset-files?name=a HTTP/1.1\r\n${lines.join('')}\r\n`);
    });
    socket.once('data', (bytes) => resolve({ socket, status: bytes.toString('latin1').split(' ')[1] ?? '' }));
    socket.once('error', reject);
  });
}

async function statusBeforeBody(headers: Readonly<Record<string, string>>): Promise<string> {
  const { status, socket } = await beginUpload(headers);
  socket.destroy();
  return status;
}

test('a sender without access is refused before the file is sent, and one with access is then asked for it', async () => {
  expect(await statusBeforeBody({})).toBe('401');
  expect(await statusBeforeBody({ authorization: 'Bearer trb_unknown' })).toBe('401');
  expect(await statusBeforeBody(await sessionHeaders(merchant.service, loginOf(nora)))).toBe('404');
  expect(await statusBeforeBody({ ...ownerHeaders, expect: '100-continue' })).toBe('100');
});

test('a process receives eight uploads at the same time, and accepts the next one when they have ended', async () => {
  const continued = { ...ownerHeaders, expect: '100-continue' };
  const begun = await Promise.all(Array.from({ length: 8 }, () => beginUpload(continued)));
  expect(begun.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => '100'));
  expect(await upload({ bytes: png() })).toMatchObject({ status: 503, json: { reason: 'temporarily_unavailable' } });
  for (const { socket } of begun) socket.destroy();
  await expect.poll(async () => (await upload({ bytes: png() })).status).toBe(201);
  for (const { id } of (await owner('GET', `${path}/assets`)).json.data) await remove(id);
});

test('a creator who is no member, left, or was declined gets the same 404 as for an asset that does not exist', async () => {
  const id = await uploaded({ bytes: png() });
  const text = await owner('POST', `${path}/assets`, { name: 'Caption', text: 'Words' });
  const ulla = await createCreatorPerson(merchant.service, 'Ulla Unknown');
  const read = async ({ ask, id: creator }: SignedInCreator) => ({
    list: (await ask('GET', `/creators/${creator}/assets`)).json.data.length,
    file: (await ask('GET', `/creators/${creator}/assets/${id}/file`)).status,
  });
  expect(await read(ulla)).toEqual({ list: 0, file: 404 });
  await ulla.ask('POST', `/programs/${merchant.world.program.id}/applications`, {});
  expect(await read(ulla)).toEqual({ list: 0, file: 404 });
  const missing = await ulla.ask('GET', `/creators/${ulla.id}/assets/asset_00000000000000000000000000/file`);
  expect((await ulla.ask('GET', `/creators/${ulla.id}/assets/${id}/file`)).text).toBe(missing.text);
  expect((await ulla.ask('GET', `/creators/${nora.id}/assets`)).status).toBe(404);

  expect(await read(nora)).toEqual({ list: 2, file: 200 });
  expect((await nora.ask('GET', `/creators/${nora.id}/assets/${text.json.id}/file`)).status).toBe(404);
  expect((await nora.ask('GET', `/creators/${nora.id}/assets?program_id=prog_00000000000000000000000000`)).json.data).toEqual([]);
  await nora.ask('POST', `/creators/${nora.id}/memberships/${member}/leave`, {});
  expect(await read(nora)).toEqual({ list: 0, file: 404 });
  for (const one of [id, text.json.id]) await remove(one);
});

test('another store can neither read, add, nor delete assets', async () => {
  const id = await uploaded({ bytes: png() });
  const other = otherMerchant(merchant).world.store.id;
  const foreign = path.replace(merchant.world.store.id, other);
  const { api } = merchant;
  expect((await api('GET', `${foreign}/assets`)).status).toBe(404);
  expect((await api('GET', `${foreign}/assets/${id}/file`)).status).toBe(404);
  expect((await api('DELETE', `${foreign}/assets/${id}`)).status).toBe(404);
  expect((await upload({ bytes: png(), at: foreign })).status).toBe(404);
  await remove(id);
});

test('uploading and deleting is in the audit log without the content, and a deleted file leaves no bytes', async () => {
  const id = await uploaded({ bytes: png(), name: 'audited.png' });
  expect((await remove(id)).status).toBe(204);
  expect((await remove(id)).status).toBe(404);
  const { data } = (await owner('GET', `/stores/${merchant.world.store.id}/audit-log`)).json;
  expect(data.slice(0, 2)).toMatchObject([
    { action: 'program_asset.delete', subject: expect.stringContaining(id) },
    { action: 'program_asset.upload', subject: expect.stringContaining(id), details: { name: 'audited.png' } },
  ]);
  const { count } = await merchant.database.one<{ count: bigint }>(sql`select count(*) as count from program_asset_chunks`);
  expect(count).toBe(0n);
});
