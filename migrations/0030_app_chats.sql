-- The chat of an app that goes on with the thread, where its client posts the newest message alone: nobody can tell from it
-- which chat and whose that is. NULL: the thread goes on by its id alone.
ALTER TABLE threads ADD COLUMN chat TEXT;
CREATE UNIQUE INDEX threads_by_chat ON threads (chat) WHERE chat IS NOT NULL;
