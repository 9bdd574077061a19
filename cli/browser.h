/*
 * browser.h: shows a page on the desktop, where there is one.
 */
#ifndef JW_CLI_BROWSER_H
#define JW_CLI_BROWSER_H

#include <stdbool.h>

/* Asks the desktop (xdg-open) to show the file PATH, and does not wait for it. False: there is no
 * desktop, or no xdg-open. */
bool cli_browse(const char *path);

#endif
