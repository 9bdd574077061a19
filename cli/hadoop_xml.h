/*
 * hadoop_xml.h: properties in Hadoop's files of settings (NAME-site.xml).
 *
 *     <configuration>
 *       <property><name>KEY</name><value>TEXT</value></property> ...
 *     </configuration>
 *
 * Read as far as people write them: what a file includes from elsewhere is not seen.
 */
#ifndef JW_CLI_HADOOP_XML_H
#define JW_CLI_HADOOP_XML_H

#include "base/bytes.h"
#include "base/memory.h"

/* The value of KEY in TEXT, the last one, or NULL. */
const char *hadoop_xml_value(struct jw_arena *arena, const char *text, const char *key);
/* Appends a property to OUT. */
void hadoop_xml_put(struct jw_buf *out, const char *key, const char *value);

#endif
