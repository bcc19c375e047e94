"""Reads notifications from Kafka with the real oslo.messaging, and prints each as a line of JSON.

    python read_notification.py BROKER TOPIC GROUP

It prints "ready" when it listens, and goes on until it is ended or its parent is.
"""

import json
import os
import sys
import threading
import time

import oslo_messaging
from oslo_config import cfg

broker, topic, group = sys.argv[1:4]


class Printer:
    def info(self, context, publisher_id, event_type, payload, metadata):
        told = {'publisher_id': publisher_id, 'event_type': event_type, 'payload': payload, 'metadata': metadata}
        print(json.dumps(told), flush=True)


def main():
    parent = os.getppid()
    conf = cfg.ConfigOpts()
    conf([])
    transport = oslo_messaging.get_notification_transport(conf, url=f'kafka://{broker}/')
    conf.set_override('consumer_group', group, group='oslo_messaging_kafka')
    targets = [oslo_messaging.Target(topic=topic)]
    listener = oslo_messaging.get_notification_listener(transport, targets, [Printer()], executor='threading')
    threading.Thread(target=listener.start, daemon=True).start()
    print('ready', flush=True)
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


main()
