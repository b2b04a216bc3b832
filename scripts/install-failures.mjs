/** One line for each way in which an installation can fail. */
export const registryLine =
  'The npm registry cannot be reached: check the network, the proxy and "npm config get registry", then start again.';
export const networkFailure = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET|CERT|network/;

export function diskLine(root) {
  return `The disk is full: about 1 GB is needed in ${root} and in npm's cache. Free some space, then start again.`;
}

/** The advice for a failed npm, chosen by its output. */
export function npmLine(root, { code, output }) {
  if (/ENOSPC|EDQUOT|no space left/i.test(output)) return diskLine(root);
  if (/EROFS|EACCES|EPERM/.test(output))
    return 'npm may not write in one of its folders (its path is above): make it yours (chown), or start as its owner.';
  if (/EINTEGRITY/.test(output))
    return 'A package is not the one that package-lock.json names: clear the cache (npm cache clean --force), then start again.';
  if (networkFailure.test(output)) return registryLine;
  if (/E404|ETARGET|ENOVERSIONS/.test(output))
    return 'The npm registry lacks a package (its name is above): check "npm config get registry", then start again.';
  return `npm install ended with code ${code} and printed the error above: fix it, then start again.`;
}

/** The advice for a folder that is not writable. */
export function writeLine(root, error) {
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return diskLine(root);
  if (error.code === 'EROFS')
    return `${root} is read-only and its packages are not installed: run "node scripts/ensure-install.mjs" where it can be written.`;
  return `The packages cannot be installed in ${root} (${error.code}): make it yours (chown), or start as its owner.`;
}
