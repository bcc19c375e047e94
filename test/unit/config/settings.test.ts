import path from 'node:path';
import { loadSettings, SettingsError } from '../../../config/settings';

const databaseUrl = 'postgresql://parley:secret@db.example.org:5432/parley';
const load = (env: Record<string, string> = {}) => loadSettings({ DATABASE_URL: databaseUrl, ...env });

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadSettings(env);
    return [];
  } catch (error) {
    return error instanceof SettingsError ? error.problems : [String(error)];
  }
};

describe('loadSettings', () => {
  it('needs no more than a database', () => {
    expect(load()).toEqual({
      host: '127.0.0.1',
      port: 12347,
      streamsPerCaller: 1000,
      baseUrl: 'http://127.0.0.1:12347',
      dataDir: path.resolve('.parley'),
      databaseUrl,
      temporalAddress: '127.0.0.1:7233',
      temporalNamespace: 'default',
      temporalTls: 'off',
      kafkaTls: 'off',
      kafkaSasl: 'none',
      kafkaBrokers: [],
      kafkaTopic: 'parley.notifications',
      eventFormat: 'plain',
      cloudEventsPrefix: 'parley',
      metricsHost: '127.0.0.1',
      auditDays: 365,
      callsPerMinute: 12_000,
      eventDays: 90,
      deletedSessionDays: 90,
      goneConstraintDays: 365,
      serviceName: 'parley',
      projectEventType: 'maintenance.planned',
      auth: 'none',
      adminRole: 'admin',
      projectRole: 'member',
      tokenCacheSeconds: 30,
      proxyResolves: 'off',
      oidcScope: 'openid',
      oidcAdminClaim: ['realm_access', 'roles'],
      oidcAdminValues: ['parley-admin'],
      oidcAudienceClaim: ['aud'],
      oidcProjectClaim: ['project_id'],
      oidcAlgorithms: ['RS256', 'PS256', 'ES256'],
      oidcClockSkewSeconds: 30,
      adminProjectId: '0a4d1e7c5d0b4b529a3e7061726c6579',
      cloud: 'simulated',
      simSpeed: 1,
      osInterface: 'public',
      osTimeoutSeconds: 15,
      osNoHostSeconds: 180,
      osMovesPerHost: 1,
      osZones: 'keep',
      kubeconfig: undefined,
      kubernetesContext: undefined,
      kubernetesServiceHost: undefined,
      kubernetesServicePort: 443,
      kubernetesTimeoutSeconds: 15,
      kubernetesUnmanagedPods: 'keep',
      kubernetesLocalData: 'keep',
      kubernetesForced: 'keep',
      kubernetesCompleteSeconds: 3600,
      kubernetesReadySeconds: 300,
      kubernetesDetachSeconds: 360,
      kubernetesTaintUnmaintained: 'off',
      maxSessions: 10,
      projectReplySeconds: 20,
      scaleInReplySeconds: 60,
      nackRetries: 2,
      nackRetrySeconds: 10,
      scaleInRounds: 3,
      ownActionSeconds: 600,
      liveMoveSeconds: 800,
      moveSeconds: 1800,
      hostStartSeconds: 600,
      hostsAtOnce: 2000,
      pluginsAtOnce: 500,
      expectedMaintenanceSeconds: 900,
      expectedMoveSeconds: 30,
      expectedAnswerSeconds: 10,
      comingMovedSeconds: 600,
      comingSeconds: 60,
      plansAtOnce: 2,
      planSeconds: 60,
      downloadAllow: [],
      httpAllow: [],
      webhookAllow: { sources: [], networks: [] },
      webhookWindowSeconds: 60,
      downloadDir: '/tmp',
      downloadBytes: 1024 ** 3,
      downloadSeconds: 3600,
      unpackedBytes: 4 * 1024 ** 3,
      unpackedEntries: 20_000,
      unpackedDepth: 20,
      unpackedRatio: 100,
      takeUpSeconds: 60,
      pluginSeconds: 14_400,
      defaultImpactShare: 0.25,
      keepAliveSeconds: 75,
      bodyLimitBytes: 1_048_576,
      metadataLimitBytes: 262_144,
      logLevel: 'info',
    });
  });

  it.each([
    { variable: 'PARLEY_HOST', given: '::1', expected: { host: '::1', baseUrl: 'http://[::1]:12347' } },
    { variable: 'PARLEY_PORT', given: '8080', expected: { port: 8080, baseUrl: 'http://127.0.0.1:8080' } },
    { variable: 'PARLEY_BASE_URL', given: 'https://a.example/b/', expected: { baseUrl: 'https://a.example/b' } },
    { variable: 'PARLEY_BASE_URL', given: 'https://a.example/v1/', expected: { baseUrl: 'https://a.example' } },
    { variable: 'PARLEY_DATA_DIR', given: '/var/lib/parley', expected: { dataDir: '/var/lib/parley' } },
    { variable: 'KAFKA_BROKERS', given: 'k1:9092, k2:9092', expected: { kafkaBrokers: ['k1:9092', 'k2:9092'] } },
    { variable: 'PARLEY_FLEET', given: 'fleet.json', expected: { fleetFile: path.resolve('fleet.json') } },
    { variable: 'PARLEY_SIM_SPEED', given: '0.5', expected: { simSpeed: 0.5 } },
    { variable: 'PARLEY_NACK_RETRIES', given: '0', expected: { nackRetries: 0 } },
    { variable: 'PARLEY_METADATA_LIMIT', given: '64 KiB', expected: { metadataLimitBytes: 65_536 } },
    { variable: 'PARLEY_BODY_LIMIT', given: '2048', expected: { bodyLimitBytes: 2048 } },
    { variable: 'PARLEY_BODY_LIMIT', given: '512 KiB', expected: { bodyLimitBytes: 524_288 } },
    { variable: 'PARLEY_PORT', given: '', expected: { port: 12347 } },
    { variable: 'PARLEY_SERVICE_NAME', given: 'fenix', expected: { serviceName: 'fenix' } },
    { variable: 'PARLEY_EVENT_FORMAT', given: 'oslo', expected: { kafkaTopic: 'notifications.info' } },
    { variable: 'PARLEY_EVENT_FORMAT', given: 'cloudevents', expected: { kafkaTopic: 'parley.notifications' } },
    { variable: 'PARLEY_SERVICE_NAME', given: 'upkeep', expected: { cloudEventsPrefix: 'upkeep' } },
    { variable: 'PARLEY_OIDC_ISSUER', given: 'https://id.example/', expected: { oidcIssuer: 'https://id.example/' } },
    { variable: 'https_proxy', given: 'proxy:3128', expected: { httpsProxy: 'http://proxy:3128' } },
    { variable: 'HTTP_PROXY', given: 'http://me:pw@proxy:3128/', expected: { httpProxy: 'http://me:pw@proxy:3128/' } },
    { variable: 'NO_PROXY', given: '.example,10.0.0.1', expected: { noProxy: '.example,10.0.0.1' } },
    {
      variable: 'PARLEY_OIDC_ADMIN_CLAIM',
      given: '/https:~1~1id.example~1roles/a~0b',
      expected: { oidcAdminClaim: ['https://id.example/roles', 'a~b'] },
    },
    { variable: 'PARLEY_OIDC_ADMIN_VALUES', given: 'root, admin', expected: { oidcAdminValues: ['root', 'admin'] } },
    { variable: 'PARLEY_OIDC_ALGORITHMS', given: 'ES384,EdDSA', expected: { oidcAlgorithms: ['ES384', 'EdDSA'] } },
    { variable: 'PARLEY_ADMIN_ROLE', given: 'Cloud_Admin', expected: { adminRole: 'cloud_admin' } },
    {
      variable: 'PARLEY_ADMIN_PROJECT_ID',
      given: '0123456789ABCDEF0123456789ABCDEF',
      expected: { adminProjectId: '0123456789ABCDEF0123456789ABCDEF' },
    },
  ])('reads $variable=$given', ({ variable, given, expected }) => {
    expect(load({ [variable]: given })).toMatchObject(expected);
  });

  it.each([
    { variable: 'PARLEY_HOST', given: 'http://here', help: 'an IP address or a host name' },
    { variable: 'PARLEY_PORT', given: '70000', help: 'a whole number, from 1 to 65535' },
    { variable: 'PARLEY_BASE_URL', given: 'parley.example.org', help: 'an http or https address' },
    { variable: 'DATABASE_URL', given: 'mysql://db/parley', help: 'postgresql://USER:PASSWORD@HOST:PORT/DATABASE' },
    { variable: 'PARLEY_TEMPORAL_ADDRESS', given: 'temporal', help: 'HOST:PORT' },
    { variable: 'KAFKA_BROKERS', given: 'k1:9092,k2', help: 'HOST:PORT, several separated by commas' },
    { variable: 'HTTPS_PROXY', given: 'ftp://proxy', help: 'the address of an http or https proxy, such as http://' },
    { variable: 'HTTP_PROXY', given: 'socks5://proxy', help: 'the address of an http or https proxy, such as http://' },
    { variable: 'PARLEY_AUTH', given: 'basic', help: 'one of none, token, keystone' },
    { variable: 'PARLEY_OIDC_ISSUER', given: 'http://id.example', help: 'an https address without query' },
    { variable: 'PARLEY_OIDC_ADMIN_CLAIM', given: 'roles', help: 'a JSON pointer, such as /realm_access/roles' },
    { variable: 'PARLEY_OIDC_ADMIN_VALUES', given: 'root,', help: 'texts separated by commas' },
    { variable: 'PARLEY_OIDC_ALGORITHMS', given: 'RS256,none', help: 'some of RS256' },
    { variable: 'PARLEY_OIDC_ALGORITHMS', given: 'HS256', help: 'some of RS256' },
    { variable: 'PARLEY_ADMIN_PROJECT_ID', given: 'admin', help: 'a UUID' },
    {
      variable: 'OS_AUTH_URL',
      given: 'http://cloud:5000/v2.0',
      help: 'the http or https address of Keystone version 3',
    },
    { variable: 'PARLEY_EVENT_FORMAT', given: 'xml', help: 'one of plain, oslo, cloudevents' },
    { variable: 'PARLEY_CLOUD', given: 'heaven', help: 'one of simulated, openstack' },
    { variable: 'PARLEY_SIM_SPEED', given: '0', help: 'a number above 0' },
    { variable: 'PARLEY_PROJECT_REPLY_SECONDS', given: '20s', help: 'a whole number, from 1' },
    { variable: 'PARLEY_MAX_SESSIONS', given: '0', help: 'a whole number, 1 or more' },
    { variable: 'PARLEY_BODY_LIMIT', given: '1 MB', help: 'a size above 0 in bytes, KiB, MiB or GiB' },
    { variable: 'PARLEY_LOG_LEVEL', given: 'loud', help: 'one of trace, debug, info' },
  ])('refuses $variable=$given and says what would help', ({ variable, given, help }) => {
    const [problem, ...others] = problemsOf({ DATABASE_URL: databaseUrl, [variable]: given });
    expect(problem).toContain(`${variable} is ${JSON.stringify(given)}; it must be ${help}`);
    expect(others).toEqual([]);
  });

  it('lists all wrong settings at once', () => {
    expect(problemsOf({ PARLEY_PORT: 'x', PARLEY_SIM_SPEED: '-1', PARLEY_AUTH: 'token' })).toEqual([
      expect.stringMatching(/^PARLEY_PORT /),
      expect.stringMatching(/^DATABASE_URL is not set; it must be postgresql:/),
      expect.stringMatching(/^PARLEY_SIM_SPEED /),
      expect.stringMatching(/^PARLEY_TOKENS_FILE is not set; /),
    ]);
  });

  it.each([
    { given: 'PARLEY_SIM_SPED', nearest: 'PARLEY_SIM_SPEED' },
    { given: 'PARLEY_PROJECT_REPLY_SECOND', nearest: 'PARLEY_PROJECT_REPLY_SECONDS' },
    { given: 'PARLEY_KAFKA_BROKERS', nearest: 'KAFKA_BROKERS' },
    { given: 'PARLEY_MAX_SESSION', nearest: 'PARLEY_MAX_SESSIONS' },
    { given: 'PARLEY_Port', nearest: 'PARLEY_PORT' },
  ])('refuses the misspelt $given and names $nearest', ({ given, nearest }) => {
    const problems = problemsOf({ DATABASE_URL: databaseUrl, [given]: '1' });
    expect(problems).toEqual([`${given} is no setting; the nearest is ${nearest}`]);
  });

  it.each([
    ...['PARLEY_URL', 'PARLEY_TOKEN', 'PARLEY_LAB_TOKEN', 'PARLEY_CONTEXT', 'PARLEY_CONFIG'],
    ...['PARLEY_TEST_SERVICES', 'PARLEY_TEST_OPENSTACK', 'PARLEY_FAULTS_SEEDS', 'PARLEY_TOKENS'],
  ])('leaves %s to the program that reads it', (name) => {
    expect(problemsOf({ DATABASE_URL: databaseUrl, [name]: 'x' })).toEqual([]);
  });

  it('leaves alone what Kubernetes says of Services named parley and parley-worker-metrics', () => {
    const env = {
      PARLEY_SERVICE_HOST: '10.96.7.1',
      PARLEY_SERVICE_PORT: '12347',
      PARLEY_SERVICE_PORT_HTTP: '12347',
      PARLEY_PORT: 'tcp://10.96.7.1:12347',
      PARLEY_PORT_12347_TCP: 'tcp://10.96.7.1:12347',
      PARLEY_PORT_12347_TCP_PROTO: 'tcp',
      PARLEY_PORT_12347_TCP_PORT: '12347',
      PARLEY_PORT_12347_TCP_ADDR: '10.96.7.1',
      PARLEY_WORKER_METRICS_SERVICE_HOST: '10.96.7.2',
      PARLEY_WORKER_METRICS_PORT: 'tcp://10.96.7.2:9464',
    };
    expect(load(env)).toEqual(load());
  });

  it.each(['tcp:/10.96.7.1:12347', 'http://10.96.7.1:12347', '10.96.7.1'])('refuses %s as a port', (given) => {
    expect(problemsOf({ DATABASE_URL: databaseUrl, PARLEY_PORT: given })).toHaveLength(1);
  });

  it('takes an empty variable as one that is not there', () => {
    expect(problemsOf({ DATABASE_URL: databaseUrl, PARLEY_SIM_SPED: ' ' })).toEqual([]);
  });

  it('does not show a password', () => {
    expect(problemsOf({ DATABASE_URL: 'mysql://parley:secret@db/parley' }).join()).not.toContain('secret');
  });

  it.each([
    {
      given: { PARLEY_TEMPORAL_CA: 'ca.pem' },
      problem: 'PARLEY_TEMPORAL_CA is set and PARLEY_TEMPORAL_TLS is not on; set it to on',
    },
    {
      given: { PARLEY_TEMPORAL_API_KEY_FILE: 'key', PARLEY_TEMPORAL_TLS: 'off' },
      problem: 'PARLEY_TEMPORAL_API_KEY_FILE is set and PARLEY_TEMPORAL_TLS is not on; set it to on',
    },
    {
      given: { PARLEY_TEMPORAL_TLS: 'on', PARLEY_TEMPORAL_CERT: 'cert.pem' },
      problem: 'PARLEY_TEMPORAL_CERT and PARLEY_TEMPORAL_KEY belong together: the key is not set',
    },
    {
      given: { PARLEY_KAFKA_TLS: 'on', PARLEY_KAFKA_KEY: 'key.pem' },
      problem: 'PARLEY_KAFKA_CERT and PARLEY_KAFKA_KEY belong together: the certificate is not set',
    },
    {
      given: { PARLEY_KAFKA_SASL: 'plain', PARLEY_KAFKA_USERNAME: 'parley' },
      problem: 'PARLEY_KAFKA_PASSWORD is not set; PARLEY_KAFKA_SASL=plain logs in with it',
    },
  ])('refuses what would leave a connection less secure than meant: $problem', ({ given, problem }) => {
    expect(problemsOf({ DATABASE_URL: databaseUrl, ...given })).toEqual([problem]);
  });

  it.each(['0.0.0.0', '::', '192.0.2.7', 'parley.example.org', '127.example.org'])(
    'refuses to make everybody admin on %s',
    (host) => {
      expect(problemsOf({ DATABASE_URL: databaseUrl, PARLEY_HOST: host })).toEqual([
        expect.stringContaining('PARLEY_AUTH=token'),
      ]);
    },
  );

  it('listens beyond loopback with tokens', () => {
    const env = { PARLEY_HOST: '0.0.0.0', PARLEY_AUTH: 'token', PARLEY_TOKENS_FILE: '/etc/parley/tokens.json' };
    expect(load(env)).toMatchObject({ host: '0.0.0.0', tokensFile: '/etc/parley/tokens.json' });
  });

  it('keeps a topic that is set, whatever the format', () => {
    const env = { PARLEY_EVENT_FORMAT: 'oslo', PARLEY_KAFKA_TOPIC: 'mine' };
    expect(load(env)).toMatchObject({ kafkaTopic: 'mine' });
  });

  it.each([
    { length: 129, problems: [] },
    { length: 130, problems: [expect.stringContaining('PARLEY_BASE_URL has 130 characters')] },
  ])('in format oslo, finds $problems.length wrong with a base URL of $length characters', ({ length, problems }) => {
    const url = `http://${'p'.repeat(length - 'http://'.length)}`;
    const env = { DATABASE_URL: databaseUrl, PARLEY_BASE_URL: url };
    expect(problemsOf({ ...env, PARLEY_EVENT_FORMAT: 'oslo' })).toEqual(problems);
    expect(problemsOf(env)).toEqual([]);
  });
});

describe('the login of the service to Keystone', () => {
  const authUrl = 'https://cloud.example:5000/v3';
  const password = { OS_USERNAME: 'parley', OS_PASSWORD: 'secret', OS_PROJECT_NAME: 'service' };
  const inDefault = { domain: { name: 'Default' } };

  it.each([
    {
      what: 'names in the default domains',
      env: password,
      credentials: {
        kind: 'password',
        user: { name: 'parley', ...inDefault },
        password: 'secret',
        project: { name: 'service', ...inDefault },
      },
    },
    {
      what: 'names in other domains',
      env: { ...password, OS_USER_DOMAIN_NAME: 'ops', OS_PROJECT_DOMAIN_ID: 'd1' },
      credentials: {
        kind: 'password',
        user: { name: 'parley', domain: { name: 'ops' } },
        password: 'secret',
        project: { name: 'service', domain: { id: 'd1' } },
      },
    },
    {
      what: 'IDs, which win over names',
      env: { ...password, OS_USER_ID: 'u1', OS_PROJECT_ID: 'p1' },
      credentials: { kind: 'password', user: { id: 'u1' }, password: 'secret', project: { id: 'p1' } },
    },
    {
      what: 'an application credential, which wins over user and password',
      env: { ...password, OS_APPLICATION_CREDENTIAL_ID: 'a1', OS_APPLICATION_CREDENTIAL_SECRET: 'more secret' },
      credentials: { kind: 'applicationCredential', id: 'a1', secret: 'more secret' },
    },
  ])('takes $what', ({ env, credentials }) => {
    expect(load({ OS_AUTH_URL: authUrl, ...env }).keystone).toEqual({ authUrl, credentials });
  });

  it.each(['https://cloud.example:5000', 'https://cloud.example:5000/', `${authUrl}/`])(
    'reaches v3 from %s',
    (given) => {
      expect(load({ OS_AUTH_URL: given, ...password }).keystone).toMatchObject({ authUrl });
    },
  );

  it.each([
    { set: {}, missing: ['OS_AUTH_URL', 'OS_USERNAME', 'OS_PASSWORD', 'OS_PROJECT_NAME'] },
    { set: { OS_AUTH_URL: authUrl, OS_USERNAME: 'parley' }, missing: ['OS_PASSWORD', 'OS_PROJECT_NAME'] },
    {
      set: { OS_AUTH_URL: authUrl, OS_APPLICATION_CREDENTIAL_ID: 'a1' },
      missing: ['OS_APPLICATION_CREDENTIAL_SECRET'],
    },
  ])('is needed with PARLEY_AUTH=keystone, which names $missing', ({ set, missing }) => {
    const env = { DATABASE_URL: databaseUrl, ...set };
    expect(problemsOf({ ...env, PARLEY_AUTH: 'keystone' })).toEqual(
      missing.map((name) => expect.stringContaining(`${name} is not set; PARLEY_AUTH=keystone`) as unknown),
    );
    expect(problemsOf(env)).toEqual([]);
  });

  it('lets the service listen beyond loopback', () => {
    const env = { PARLEY_HOST: '0.0.0.0', PARLEY_AUTH: 'keystone', OS_AUTH_URL: authUrl, ...password };
    expect(load(env)).toMatchObject({ auth: 'keystone', host: '0.0.0.0' });
  });
});

describe('the settings of an OpenID Connect issuer', () => {
  it('are needed with PARLEY_AUTH=oidc, and let the service listen beyond loopback', () => {
    const env = { PARLEY_AUTH: 'oidc', PARLEY_HOST: '0.0.0.0' };
    expect(problemsOf({ DATABASE_URL: databaseUrl, ...env })).toEqual([
      expect.stringMatching(/^PARLEY_OIDC_ISSUER is not set; PARLEY_AUTH=oidc/),
      expect.stringMatching(/^PARLEY_OIDC_AUDIENCE is not set; PARLEY_AUTH=oidc/),
    ]);
    const given = { PARLEY_OIDC_ISSUER: 'https://id.example', PARLEY_OIDC_AUDIENCE: 'parley' };
    expect(load({ ...env, ...given })).toMatchObject({ auth: 'oidc', host: '0.0.0.0' });
  });
});
