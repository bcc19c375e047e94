"""A real Keystone (SQLite, fernet tokens): prepared in an empty folder, then served."""
import argparse
import grp
import os
import pwd
import signal
import sys

parser = argparse.ArgumentParser()
parser.add_argument('--folder', required=True, help='settings, database, keys and log')
parser.add_argument('--port', type=int, required=True)
parser.add_argument('--password', required=True, help='of the user admin')
parser.add_argument('--token-seconds', type=int, default=3600, help='how long a token is good')
OPTIONS = parser.parse_args()

FOLDER = OPTIONS.folder
SETTINGS = os.path.join(FOLDER, 'keystone.conf')
ADDRESS = 'http://127.0.0.1:%d/v3' % OPTIONS.port
os.environ['OS_KEYSTONE_CONFIG_DIR'] = FOLDER

from keystone.cmd import cli  # noqa: E402
from werkzeug.serving import WSGIRequestHandler, make_server  # noqa: E402

from end_with_folder import end_with_folder  # noqa: E402


def write_settings():
    for keys in ('fernet-keys', 'credential-keys'):
        os.makedirs(os.path.join(FOLDER, keys), mode=0o700, exist_ok=True)
    with open(SETTINGS, 'w') as settings:
        settings.write(f"""[DEFAULT]
log_file = {FOLDER}/keystone.log
[database]
connection = sqlite:///{FOLDER}/keystone.db
[token]
provider = fernet
expiration = {OPTIONS.token_seconds}
allow_expired_window = 0
[fernet_tokens]
key_repository = {FOLDER}/fernet-keys
[credential]
key_repository = {FOLDER}/credential-keys
""")


def manage(*arguments):
    """keystone-manage, in a process of its own: it may be called once in a process."""
    child = os.fork()
    if child == 0:
        cli.main(['keystone-manage', '--config-file', SETTINGS, *arguments])
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
        sys.exit('keystone-manage %s failed' % arguments[0])


def prepare():
    owner = ('--keystone-user', pwd.getpwuid(os.getuid()).pw_name,
             '--keystone-group', grp.getgrgid(os.getgid()).gr_name)
    write_settings()
    manage('db_sync')
    manage('fernet_setup', *owner)
    manage('credential_setup', *owner)
    manage('bootstrap', '--bootstrap-username', 'admin', '--bootstrap-password', OPTIONS.password,
           '--bootstrap-project-name', 'admin', '--bootstrap-role-name', 'admin',
           '--bootstrap-service-name', 'keystone', '--bootstrap-region-id', 'RegionOne',
           '--bootstrap-public-url', ADDRESS, '--bootstrap-internal-url', ADDRESS, '--bootstrap-admin-url', ADDRESS)


def serve():
    sys.argv = sys.argv[:1]  # oslo.config reads it
    from keystone.wsgi.api import application
    end_with_folder(FOLDER)
    WSGIRequestHandler.protocol_version = 'HTTP/1.1'
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: os._exit(0))
    make_server('127.0.0.1', OPTIONS.port, application, threaded=True).serve_forever()


prepare()
serve()
