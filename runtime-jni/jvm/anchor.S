/* The bytes of jweave/rt/boot1/Anchor.class; the file is found through the assembler's -I. */
	.section .rodata
	.global rt_anchor_class
	.hidden rt_anchor_class
	.global rt_anchor_class_end
	.hidden rt_anchor_class_end
	.balign 8
rt_anchor_class:
	.incbin "jweave/rt/boot1/Anchor.class"
rt_anchor_class_end:
	.byte 0
	.section .note.GNU-stack, "", %progbits
