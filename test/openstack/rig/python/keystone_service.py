"""A real Keystone on loopback: sqlite, fernet tokens, the WSGI application behind a threaded server.

    python keystone_service.py FOLDER

FOLDER holds rig.json, which keystone-rig.ts writes: { port, token_seconds, password, projects, users }. On a new folder
the database is made and filled; on a used one it is served as it was left. When it answers, FOLDER/ready.json holds its
port. Keystone's own managers fill it, since its API gives every project an ID of its own choice.
"""

import json
import os
import shutil
import signal
import sys
import threading
from pathlib import Path

from end_with_parent import end_with_parent
from kept import keep, kept
from kept_connections import keep_connections

FOLDER = Path(sys.argv[1]).resolve()
RIG = json.loads((FOLDER / 'rig.json').read_text())

EMPTY_DATABASE = 'keystone-empty.db'

CONFIGURATION = f"""[DEFAULT]
log_file = {FOLDER}/keystone.log
[database]
connection = sqlite:///{FOLDER}/keystone.db
sqlite_synchronous = false
[cache]
backend = dogpile.cache.memory
# gives copies out, as Keystone's own tests want it
proxies = oslo_cache.testing.CacheIsolatingProxy
[token]
provider = fernet
expiration = {RIG['token_seconds']}
allow_expired_window = 0
[fernet_tokens]
key_repository = {FOLDER}/fernet-keys
[fernet_receipts]
key_repository = {FOLDER}/fernet-keys
[credential]
key_repository = {FOLDER}/credential-keys
[identity]
password_hash_rounds = 4
[oslo_policy]
policy_file = {FOLDER}/policy.yaml
"""


def configure():
    (FOLDER / 'keystone.conf').write_text(CONFIGURATION)
    os.environ['OS_KEYSTONE_CONFIG_DIR'] = str(FOLDER)
    sys.argv = sys.argv[:1]  # oslo.config reads the command line, and this one is not meant for it


def write_policy():
    """As docs/openstack.md asks for it, for the role that rights.test.ts tries."""
    from keystone.common.policies import project

    rule, = (rule for rule in project.list_rules() if rule.name == 'identity:get_project')
    (FOLDER / 'policy.yaml').write_text(json.dumps({rule.name: f"{rule.check_str} or role:maintenance"}))


def make_keys():
    """Before the application is imported: it looks for them at once."""
    from keystone.common import fernet_utils

    for folder, section in ((FOLDER / 'fernet-keys', 'fernet_tokens'), (FOLDER / 'credential-keys', 'credential')):
        folder.mkdir(mode=0o700)
        fernet_utils.FernetUtils(str(folder), 3, section).initialize_key_repository()


def make_tables():
    from keystone.common.sql import upgrades

    if (path := kept(EMPTY_DATABASE)) is not None:
        shutil.copyfile(path, FOLDER / 'keystone.db')
        return
    upgrades.offline_sync_database_to_version(None)
    with keep(EMPTY_DATABASE) as path:
        shutil.copyfile(FOLDER / 'keystone.db', path)


def make_database(url):
    from keystone.cmd import bootstrap

    make_tables()
    bootstrap.backends.load_backends = lambda: None  # the application has loaded them; twice is an error
    admin = bootstrap.Bootstrapper()
    admin.admin_username = admin.project_name = admin.admin_role_name = 'admin'
    admin.admin_password = RIG['password']
    admin.region_id = 'RegionOne'
    admin.service_name = 'keystone'
    admin.public_url = admin.internal_url = admin.admin_url = url
    admin.bootstrap()


def fill():
    from keystone.common.provider_api import ProviderAPIs as providers

    in_default = {'domain_id': 'default', 'enabled': True}
    for project in RIG['projects']:
        providers.resource_api.create_project(project['id'], {**project, **in_default, 'description': ''})
    roles = {role['name']: role['id'] for role in providers.role_api.list_roles()}
    projects = {project['name']: project['id'] for project in providers.resource_api.list_projects()}
    for user in RIG['users']:
        made = providers.identity_api.create_user({'name': user['name'], 'password': RIG['password'], **in_default})
        grant(made['id'], user, roles, projects)


def grant(user_id, user, roles, projects):
    from keystone.common.provider_api import ProviderAPIs as providers

    assignments = providers.assignment_api
    for project, names in user.get('projects', {}).items():
        for name in names:
            assignments.create_grant(roles[name], user_id=user_id, project_id=projects[project])
    for name in user.get('domain', []):
        assignments.create_grant(roles[name], user_id=user_id, domain_id='default')
    for name in user.get('system', []):
        assignments.create_system_grant_for_user(user_id, roles[name])


def one_at_a_time(application):
    """A login reads and then writes: of two at once SQLite tells one that the database is locked, however long it waits.

    Connections stay open beside each other.
    """
    lock = threading.Lock()

    def serve(environ, start_response):
        with lock:
            answer = application(environ, start_response)
            try:
                return list(answer)
            finally:
                if hasattr(answer, 'close'):
                    answer.close()

    return serve


def make_server(application):
    from werkzeug import serving

    class Handler(serving.WSGIRequestHandler):
        protocol_version = 'HTTP/1.1'

        def log_request(self, *_args):
            """Keystone logs its requests itself."""

    application = one_at_a_time(application)
    return serving.make_server('127.0.0.1', RIG['port'], application, threaded=True, request_handler=Handler)


def main():
    end_with_parent()
    configure()
    keep_connections()
    is_new = not (FOLDER / 'keystone.db').exists()
    write_policy()
    if is_new:
        make_keys()
    from keystone.wsgi.api import application

    server = make_server(application)
    if is_new:
        make_database(f'http://127.0.0.1:{server.port}/v3')
        fill()
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    growing = FOLDER / 'ready.new'
    growing.write_text(json.dumps({'port': server.port}))
    growing.rename(FOLDER / 'ready.json')
    server.serve_forever()


main()
