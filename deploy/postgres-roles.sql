-- The role of the nodes: it reads and writes rows and cannot change the schema. Run this once, as the
-- owner of the database, before `migrate`, which runs as the owner too. Then give it a password:
-- ALTER ROLE latchkey_service LOGIN PASSWORD '...'. Nodes run with `serve --no-migrate`.
CREATE ROLE latchkey_service;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO latchkey_service;
-- For the tables that the owner creates from now on.
ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO latchkey_service;
ALTER DEFAULT PRIVILEGES GRANT USAGE, SELECT ON SEQUENCES TO latchkey_service;
