-- What was said stays said: the database itself refuses to change or to delete it.
CREATE FUNCTION innominate_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% are never changed or deleted', TG_TABLE_NAME;
END $$;
CREATE TRIGGER answers_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON answers FOR EACH STATEMENT EXECUTE FUNCTION innominate_stays();
CREATE TRIGGER events_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION innominate_stays();
