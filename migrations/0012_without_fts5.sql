-- Words are looked up in the segments, which are made from the passages when the database is opened next. What is freed
-- here, they take.
DROP TABLE passage_vocabulary;
DROP TABLE passage_terms;
DELETE FROM meta WHERE name = 'keyword_index';
