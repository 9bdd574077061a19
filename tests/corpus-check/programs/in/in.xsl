<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:output method="html" indent="yes"/>
<xsl:template match="/"><html><xsl:for-each select="list/p"><xsl:sort select="@n" data-type="number"/><b><xsl:value-of select="concat(@n, ': ', .)"/></b></xsl:for-each><i><xsl:value-of select="sum(//@n)"/></i></html></xsl:template></xsl:stylesheet>
