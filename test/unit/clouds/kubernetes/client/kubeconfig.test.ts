import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { type ExecConfig, execCredentials } from '../../../../../clouds/kubernetes/client/access/exec-credential';
import { kubeconfigAccess } from '../../../../../clouds/kubernetes/client/access/kubeconfig';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'kubeconfig-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: unknown): string => {
  const file = path.join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};

const aKubeconfig = (user: object, cluster: object = {}): object => ({
  'current-context': 'here',
  contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
  clusters: [{ name: 'c', cluster: { server: 'https://api.example.org:6443/', ...cluster } }],
  users: [{ name: 'u', user }],
});

const accessBy = (user: object, cluster: object = {}) =>
  kubeconfigAccess({ files: [write('config', aKubeconfig(user, cluster))] });

const credentialBy = (user: object) => accessBy(user).credentials.current();

describe('a kubeconfig', () => {
  it('tells the address, without its last slash, and that certificates are checked', () => {
    expect(accessBy({ token: 't' })).toMatchObject({ server: 'https://api.example.org:6443', isVerified: true });
  });

  it('holds certificates itself, or names their files, from its own folder', () => {
    write('ca.pem', 'CERTIFICATES');
    expect(accessBy({}, { 'certificate-authority': 'ca.pem' }).ca).toBe('CERTIFICATES');
    const data = Buffer.from('OTHERS').toString('base64');
    expect(accessBy({}, { 'certificate-authority-data': data, 'certificate-authority': 'ca.pem' }).ca).toBe('OTHERS');
  });

  it('turns the check of certificates off only when it says so, and may give their name', () => {
    const access = accessBy({}, { 'insecure-skip-tls-verify': true, 'tls-server-name': 'kubernetes' });
    expect(access).toMatchObject({ isVerified: false, serverName: 'kubernetes' });
  });

  it('gives a token, the token in a file, or a certificate', async () => {
    write('token', 'from-file\n');
    const data = (text: string): string => Buffer.from(text).toString('base64');
    await expect(credentialBy({ token: 't' })).resolves.toEqual({ token: 't' });
    await expect(credentialBy({ token: 't', tokenFile: 'token' })).resolves.toEqual({ token: 'from-file' });
    const certificate = { 'client-certificate-data': data('CERT'), 'client-key-data': data('KEY') };
    await expect(credentialBy(certificate)).resolves.toEqual({ certificate: { cert: 'CERT', key: 'KEY' } });
    await expect(credentialBy({ tokenFile: 'token', ...certificate })).resolves.toEqual({
      token: 'from-file',
      certificate: { cert: 'CERT', key: 'KEY' },
    });
  });

  it('is merged with others: the first entry of a name wins', () => {
    const first = write('first', { clusters: [{ name: 'c', cluster: { server: 'https://first' } }], users: null });
    const second = write('second', aKubeconfig({ token: 't' }));
    const files = [first, path.join(folder, 'missing'), second];
    expect(kubeconfigAccess({ files }).server).toBe('https://first');
  });

  it('chooses the context that the setting names', () => {
    const config = {
      ...aKubeconfig({ token: 't' }),
      contexts: [
        { name: 'here', context: { cluster: 'c', user: 'u' } },
        { name: 'there', context: { cluster: 'd' } },
      ],
      clusters: [{ name: 'd', cluster: { server: 'https://there' } }],
    };
    expect(kubeconfigAccess({ files: [write('config', config)], context: 'there' }).server).toBe('https://there');
  });

  it.each([
    ['no file', () => kubeconfigAccess({ files: [path.join(folder, 'none')] }), /there is no kubeconfig at .*none/],
    [
      'an unknown context',
      () => kubeconfigAccess({ files: [write('c', aKubeconfig({}))], context: 'x' }),
      /no context "x"; it has here/,
    ],
    ['no current context', () => kubeconfigAccess({ files: [write('c', {})] }), /set PARLEY_KUBERNETES_CONTEXT/],
    [
      'a missing file of certificates',
      () => accessBy({}, { 'certificate-authority': 'gone.pem' }),
      /gone\.pem.*cannot be read/,
    ],
    [
      'a cluster without an address',
      () => accessBy({}, { server: 7 }),
      /\/clusters\/0\/cluster\/server must be a string/,
    ],
    ['a wrong proxy', () => accessBy({}, { 'proxy-url': 'ftp://me:pw@p' }), /proxy-url "ftp:\/\/me:…@p"; it must be/],
    ['an auth-provider', () => accessBy({ 'auth-provider': {} }), /auth-provider.*credential plug-in/],
    ['a password', () => accessBy({ username: 'me' }), /has a password/],
  ])('is refused for %s, with words that help', (_fault, open, words) => {
    expect(open).toThrow(words);
  });
});

describe('a credential plug-in', () => {
  const plugin = (script: string): object => {
    chmodSync(write('plugin', `#!/bin/sh\n${script}\n`), 0o755);
    const env = [{ name: 'REGION', value: 'north' }];
    return {
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: './plugin',
        args: ['get'],
        env,
        installHint: 'Install it.',
      },
    };
  };
  const answering = (status: string): string => `echo "{\\"kind\\":\\"ExecCredential\\",\\"status\\":${status}}"`;

  it('is run with its arguments and variables, and told about the question', async () => {
    const script = 'grep -q "ExecCredential" <<I || exit 1\n$KUBERNETES_EXEC_INFO\nI\n';
    const answer = answering('{\\"token\\":\\"$1-$REGION\\"}');
    await expect(credentialBy(plugin(`${script}${answer}`))).resolves.toEqual({ token: 'get-north' });
  });

  it('is run again when its credential ends, or was refused, and not before', async () => {
    const count = `echo x >> ${path.join(folder, 'runs')}; N=$(wc -l < ${path.join(folder, 'runs')})`;
    const lasting = plugin(
      `${count}\n${answering('{\\"token\\":\\"$N\\",\\"expirationTimestamp\\":\\"2999-01-01T00:00:00Z\\"}')}`,
    );
    const { credentials } = accessBy(lasting);
    await credentials.current();
    await expect(credentials.current()).resolves.toEqual({ token: '1' });
    credentials.forget();
    await expect(credentials.current()).resolves.toEqual({ token: '2' });
    const ended = accessBy(
      plugin(`${count}\n${answering('{\\"token\\":\\"$N\\",\\"expirationTimestamp\\":\\"2000-01-01T00:00:00Z\\"}')}`),
    );
    await ended.credentials.current();
    await expect(ended.credentials.current()).resolves.toEqual({ token: '4' });
  });

  it.each([
    ['fails', 'echo no login >&2; exit 3', /plug-in \.\/plugin of the kubeconfig failed: no login\. Install it\./],
    ['ends without a word', 'exit 3', /failed: it ended with code 3\. Install it\./],
    ['is ended by a signal', 'kill -9 $$', /failed: it was ended by SIGKILL\. Install it\./],
    ['says nothing of use', 'echo hello', /is no ExecCredential/],
    ['gives no credential', answering('{}'), /neither a token nor a certificate/],
  ])('is named in the error when it %s', async (_what, script, words) => {
    await expect(credentialBy(plugin(script))).rejects.toThrow(words);
  });

  const execOf = (script: string) => (plugin(script) as { exec: ExecConfig }).exec;
  const run = (exec: ExecConfig, timeoutMs?: number) =>
    execCredentials({ exec, cluster: { server: 'https://api' }, folder, ...(timeoutMs && { timeoutMs }) }).current();

  it('is named with its limit where it takes longer', async () => {
    await expect(run(execOf('exec sleep 60'), 200)).rejects.toThrow('failed: it took more than 0.2 s. Install it.');
  });

  it('is named where there is no such program', async () => {
    const missing = { ...execOf(''), command: 'no-such-plugin' };
    await expect(run(missing)).rejects.toThrow('no-such-plugin of the kubeconfig failed: it cannot be run (ENOENT)');
  });

  it('has neither its variables nor its arguments in an error', async () => {
    const env = [{ name: 'PASSWORD', value: 'hidden-word' }];
    const error = await run({ ...execOf('exit 3'), env, args: ['hidden-word'] }).catch((caught: unknown) => caught);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('hidden-word');
  });
});
