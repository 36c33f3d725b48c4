from compliance.project.models.heartbeat import Heartbeat

__all__ = ["Heartbeat"]
