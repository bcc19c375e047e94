-- Why a host was given back for good: the cloud refused a move of it until the limit.
ALTER TABLE session_host ADD COLUMN refused_because TEXT;
