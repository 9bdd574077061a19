module low {
    exports low;
}
