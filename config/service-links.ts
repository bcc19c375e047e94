/**
 * Knows the variables that Kubernetes sets in every container for the Services of its namespace. Those of a Service
 * named `parley`, or `parley-api`, begin like settings, and `PARLEY_PORT` is even the name of one.
 */

/** A `PARLEY_SERVICE_HOST`, `PARLEY_SERVICE_PORT_HTTP` or `PARLEY_PORT_12347_TCP_ADDR`. No setting is named so. */
const linkName = /_SERVICE_HOST$|_SERVICE_PORT(_[A-Z0-9_]+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;

/** The value of `PARLEY_PORT`, such as `tcp://10.96.7.1:12347`, which no port of a setting has. */
const linkValue = /^(tcp|udp|sctp):\/\//;

/** The Service by which a pod reaches the API server. Its variables are settings. */
const apiServer = /^KUBERNETES_/;

export const isServiceLink = (name: string, value: string): boolean =>
  !apiServer.test(name) && (linkName.test(name) || (name.endsWith('_PORT') && linkValue.test(value.trim())));
