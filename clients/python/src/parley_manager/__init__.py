"""A project's manager (VNFM) for Parley, in a few lines.

It follows the events of the project, asks the program what to answer, and sees to it that the answer arrives. It knows
the service by its HTTP API alone, and needs nothing but the standard library.
"""

from ._manager import Agreement, Answer, Handler, Manager, Position, Question
from ._requests import Refused

__all__ = ["Agreement", "Answer", "Handler", "Manager", "Position", "Question", "Refused"]
